package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that {@code bin/stead} of a release makes with a real Java, and uses. */
class ClassArchiveTest {
    private static final String MAIN_OF_ARCHIVE = "io.steadfs.cli.Main source: shared objects file (top)";
    private static final String VERSION = "stead 0.1.0-SNAPSHOT\n";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void classesComeFromTheArchiveWhileItIsWhole() throws Exception {
        try (LinkedRelease release = LinkedRelease.in(folder.resolve("release"), "0.1.0 a70b1a31912e")) {
            Said made = stead(release, "", "class-archive");
            assertThat(made.exitCode).as("%s", made).isZero();
            Path archive = Path.of(made.output.strip());
            assertThat(archive.toString())
                    .matches(release.home() + "/class-archive/[0-9]+-[0-9]+/classes-[0-9]+\\.jsa");

            assertThat(loadedClasses(release, ""))
                    .contains(MAIN_OF_ARCHIVE, "io.steadfs.cli.process.MdsCommand source: shared");
            assertThat(loadedClasses(release, "-XX:+UseParallelGC")).contains(MAIN_OF_ARCHIVE);
            assertThat(loadedClasses(release, "-XX:+UseZGC")).doesNotContain(MAIN_OF_ARCHIVE);

            damage(archive);
            assertThat(loadedClasses(release, "")).doesNotContain(MAIN_OF_ARCHIVE);
        }
    }

    /** Writes over the middle of the file, which keeps its length. */
    private static void damage(Path archive) throws IOException {
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-r--r--"));
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write("damage".repeat(10_000).getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Runs a command that must say its result alone, and returns Java's log of where classes came from. */
    private String loadedClasses(LinkedRelease release, String options) throws IOException, InterruptedException {
        Path log = folder.resolve("classes.log");
        Said said = stead(release, options + " -Xlog:class+load:file=" + log, "--version");
        assertThat(said).as("with %s", options).isEqualTo(new Said(0, VERSION));
        return Files.readString(log);
    }

    /** @param output of both streams */
    private record Said(int exitCode, String output) {}

    private static Said stead(LinkedRelease release, String options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(release.command().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("STEAD_JAVA_OPTS", options);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), output);
    }
}
