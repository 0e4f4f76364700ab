package io.steadfs.it.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.steadfs.pages.Page;
import io.steadfs.pages.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each example of docs/how-to-add.md applies to the sources as they are. All of them together compile, and their tests pass. */
class ExamplesTest {
    private static final String BEGIN = "```diff";
    private static final String END = "```";
    private static final Pattern ADDED_TEST =
            Pattern.compile("--- /dev/null\\n\\+\\+\\+ b/.*/src/test/java/.*/(\\w+Test)\\.java");
    private static final long BUILD_MINUTES = 15;

    private static List<String> examples() {
        List<String> examples = new ArrayList<>();
        StringBuilder example = new StringBuilder();
        boolean isOn = false;
        for (Page.Line line : Page.of("docs/how-to-add.md").lines()) {
            if (line.text().equals(BEGIN)) {
                isOn = true;
            } else if (isOn && line.text().equals(END)) {
                examples.add(example.toString());
                example.setLength(0);
                isOn = false;
            } else if (isOn) {
                example.append(line.text()).append('\n');
            }
        }
        return examples;
    }

    @Test
    void eachAppliesByItself(@TempDir Path folder) throws Exception {
        requireGit();
        List<String> examples = examples();
        assertThat(examples).hasSize(6);
        for (int i = 0; i < examples.size(); i++) {
            String patch = file(folder, i, examples.get(i));
            assertThatCode(() -> run(Repository.home(), "git", "apply", "--check", patch))
                    .as("example %d of docs/how-to-add.md", i + 1)
                    .doesNotThrowAnyException();
        }
    }

    /** The build is one of a copy of the sources, so it takes a minute or two. */
    @Test
    void allCompileTogetherAndTheirTestsPass(@TempDir Path folder) throws Exception {
        requireGit();
        Path copy = Files.createDirectory(folder.resolve("copy"));
        copySources(copy);
        List<String> examples = examples();
        for (int i = 0; i < examples.size(); i++) {
            String patch = file(folder, i, examples.get(i));
            assertThatCode(() -> run(copy, "git", "apply", patch))
                    .as("example %d of docs/how-to-add.md after those before it", i + 1)
                    .doesNotThrowAnyException();
        }
        List<String> tests = ADDED_TEST
                .matcher(String.join("", examples))
                .results()
                .map(test -> test.group(1))
                .toList();
        assertThat(tests).containsExactly("SessionFilesTest", "LongOpenFilesTest");
        build(copy, folder.resolve("build.log"), tests);
    }

    /** Runs the rules of imports and the tests that the examples add. */
    private static void build(Path copy, Path log, List<String> tests) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./mvnw", "-o", "-B", "-q", "-Dfast", "test"));
        Optional.ofNullable(System.getProperty("localRepository"))
                .ifPresent(repository -> command.add("-Dmaven.repo.local=" + repository));
        command.add("-Dtest=ImportRulesTest," + String.join(",", tests));
        command.addAll(List.of("-Dsurefire.failIfNoSpecifiedTests=false", "-pl", "!it/contract,!it/micro"));
        Process build = new ProcessBuilder(command)
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES))
                    .as("the build ended within %d minutes", BUILD_MINUTES)
                    .isTrue();
        } finally {
            build.descendants().forEach(ProcessHandle::destroyForcibly);
            build.destroyForcibly();
        }
        assertThat(build.exitValue()).as(() -> read(log)).isZero();
    }

    private static void requireGit() {
        assumeTrue(Files.exists(Repository.home().resolve(".git")), "sources without their history");
    }

    private static String file(Path folder, int index, String example) throws IOException {
        return Files.writeString(folder.resolve(index + ".diff"), example).toString();
    }

    /** All that is in the repository or could be put there. */
    private static void copySources(Path copy) throws IOException, InterruptedException {
        String files = run(Repository.home(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
        for (String file : files.split("\0", -1)) {
            Path source = Repository.home().resolve(file);
            if (Files.isRegularFile(source)) {
                Path target = copy.resolve(file);
                Files.createDirectories(target.getParent());
                Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Returns what a command prints. Fails with it if the exit code is not 0. */
    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(() -> String.join(" ", command) + ": " + printed)
                .isZero();
        return printed;
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
