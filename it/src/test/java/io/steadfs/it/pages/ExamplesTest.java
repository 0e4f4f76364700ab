package io.steadfs.it.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.steadfs.pages.Page;
import io.steadfs.pages.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each example of docs/how-to-add.md applies to the sources as they are. */
class ExamplesTest {
    private static final String BEGIN = "```diff";
    private static final String END = "```";

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
        assumeTrue(Files.exists(Repository.home().resolve(".git")), "sources without their history");
        List<String> examples = examples();
        assertThat(examples).hasSize(6);
        for (int i = 0; i < examples.size(); i++) {
            Path patch = Files.writeString(folder.resolve(i + ".diff"), examples.get(i));
            assertThat(problemsOf(patch))
                    .as("example %d of docs/how-to-add.md", i + 1)
                    .isEmpty();
        }
    }

    private static String problemsOf(Path patch) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "apply", "--check", patch.toString())
                .directory(Repository.home().toFile())
                .redirectErrorStream(true)
                .start();
        String problems = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return git.waitFor() == 0 ? "" : problems;
    }
}
