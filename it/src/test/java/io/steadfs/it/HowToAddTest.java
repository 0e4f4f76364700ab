package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each example of docs/how-to-add.md applies to today's tree: what it changes is still there. */
class HowToAddTest {
    private static final Path HOME = Path.of("..");
    private static final String BEGIN = "```diff";
    private static final String END = "```";
    private static final int EXAMPLES = 6;

    /** An example by the heading that it stands below. */
    record Example(String heading, String diff) {
        @Override
        public String toString() {
            return heading;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        String heading = "";
        StringBuilder diff = new StringBuilder();
        boolean inside = false;
        for (String line : Files.readAllLines(HOME.resolve("docs/how-to-add.md"))) {
            if (inside && line.equals(END)) {
                examples.add(new Example(heading, diff.toString()));
                diff.setLength(0);
                inside = false;
            } else if (inside) {
                diff.append(line).append('\n');
            } else if (line.equals(BEGIN)) {
                inside = true;
            } else if (line.startsWith("## ")) {
                heading = line.substring(3);
            }
        }
        assertThat(examples).hasSize(EXAMPLES);
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void applies(Example example, @TempDir Path folder) throws IOException, InterruptedException {
        Assumptions.assumeTrue(isThere("git"), "git is not installed");
        Path file = Files.writeString(folder.resolve("example.diff"), example.diff());
        Process git = new ProcessBuilder("git", "apply", "--check", file.toString())
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as("%s: %s", example, said).isZero();
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
