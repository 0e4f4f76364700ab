package io.steadfs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With which options the script {@code bin/stead} starts Java, in the folder of a release. A script stands in the place
 * of Java: it prints its arguments, one a line, and writes the archive that it is told to write.
 */
class ClassArchiveOptionsTest {
    private static final String WRITES = "printf 'of ten bytes' | head -c 10 > \"${word#*=}\"";

    @TempDir
    private Path folder = Path.of("");

    private Path release = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        release = folder.resolve("release");
        for (String each : List.of("release/bin", "release/lib", "java/bin")) {
            Files.createDirectories(folder.resolve(each));
        }
        Path script = Path.of(System.getProperty("user.dir")).resolveSibling("bin/stead");
        Files.copy(script, release.resolve("bin/stead"));
        for (String jar : List.of("b.jar", "a.jar")) {
            Files.writeString(release.resolve("lib").resolve(jar), "of " + jar);
        }
        Files.writeString(folder.resolve("java/release"), "JAVA_VERSION=\"17.0.15\"\n");
        java(WRITES);
    }

    /** @param writing what the stand-in does about the archive that it is told to write */
    private void java(String writing) throws IOException {
        Path java = folder.resolve("java/bin/java");
        Files.writeString(java, """
                #!/usr/bin/env bash
                for word in "$@"; do
                    [[ $word != --version ]] || exit 0
                done
                for word in "$@"; do
                    echo "$word"
                    if [[ $word == -XX:ArchiveClassesAtExit=* ]]; then
                        %s
                    fi
                done
                """.formatted(writing));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void withoutAnArchiveNothingIsSaidOfOne() throws Exception {
        Result result = stead("", "mds");

        assertThat(result.lines)
                .containsExactly(
                        "-cp",
                        release + "/lib/a.jar:" + release + "/lib/b.jar",
                        "-Dstead.home=" + release,
                        "io.steadfs.cli.Main",
                        "mds");
        assertThat(release.resolve("class-archive")).doesNotExist();
    }

    @Test
    void theArchiveIsMadeOnceAndUsed() throws Exception {
        Path archive = makeArchive();

        assertThat(archive.getFileName()).hasToString("classes-10.jsa");
        assertThat(archive).hasContent("of ten byt");
        assertThat(stead("", "mds").lines)
                .containsSubsequence(
                        "-XX:SharedArchiveFile=" + archive, "-XX:+VerifySharedSpaces", "io.steadfs.cli.Main");
    }

    /** What the JVM would refuse is not even given to it. */
    @ParameterizedTest
    @ValueSource(strings = {"jar", "java", "length"})
    void anArchiveThatDoesNotFitIsNotUsed(String changed) throws Exception {
        Path archive = makeArchive();
        switch (changed) {
            case "jar" -> Files.setLastModifiedTime(release.resolve("lib/a.jar"), FileTime.fromMillis(1_000_000));
            case "java" -> Files.writeString(folder.resolve("java/release"), "JAVA_VERSION=\"17.0.16\"\n");
            default -> Files.writeString(archive, "of ten b");
        }

        assertThat(usesArchive(stead("", "mds"))).isFalse();

        Path next = makeArchive();
        assertThat(stead("", "mds").lines).contains("-XX:SharedArchiveFile=" + next);
        try (Stream<Path> files = Files.walk(release.resolve("class-archive"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("the old one is gone")
                    .containsExactly(next);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-Xshare:off", "-Xmx1g -XX:SharedArchiveFile=/mine.jsa", "-XX:ArchiveClassesAtExit=/dev/null"})
    void theUsersOwnOptionsWin(String options) throws Exception {
        makeArchive();

        assertThat(stead(options, "mds").lines)
                .containsSubsequence(options.split(" "))
                .noneMatch(line -> line.contains("/class-archive/"));
    }

    @ParameterizedTest
    @CsvSource({"exit 1, ''", ":, this Java made no archive of classes"})
    void aJavaThatMakesNoneIsAnError(String writing, String told) throws Exception {
        java(writing);

        Result result = stead("", "class-archive");

        assertThat(result.exitCode).isEqualTo(1);
        assertThat(String.join("\n", result.lines)).contains(told);
        assertThat(usesArchive(stead("", "mds"))).isFalse();
    }

    /** Of these the JVM's second compiler would be in the way; work with many bytes needs it. */
    @ParameterizedTest
    @CsvSource({
        "status, true",
        "fs -ls /, true",
        "fs --uri stead://host -mkdir /a, true",
        "fs --json -rm -r /a, true",
        "fs -put file /a, false",
        "fs -D key=value -ls /, false",
        "fs, false",
        "mds --id 1, false",
        "local, false",
        "bench create, false"
    })
    void shortCommandsHaveOneCompiler(String arguments, boolean one) throws Exception {
        assertThat(stead("", arguments).lines.contains("-XX:TieredStopAtLevel=1"))
                .isEqualTo(one);
    }

    private Path makeArchive() throws Exception {
        Result result = stead("", "class-archive");
        assertThat(result.exitCode).as("%s", result.lines).isZero();
        assertThat(result.lines).hasSize(1);
        Path archive = Path.of(result.lines.get(0));
        assertThat(archive).startsWith(release.resolve("class-archive")).isRegularFile();
        return archive;
    }

    private static boolean usesArchive(Result result) {
        assertThat(result.exitCode).isZero();
        return result.lines.stream().anyMatch(line -> line.startsWith("-XX:SharedArchiveFile"));
    }

    /** @param lines of both streams */
    private record Result(int exitCode, List<String> lines) {}

    private Result stead(String options, String arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", release.resolve("bin/stead").toString()));
        command.addAll(List.of(arguments.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        builder.environment().put("STEAD_JAVA_OPTS", options);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output.lines().toList());
    }
}
