package io.steadfs.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextsTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void linksAreFollowedAndWhatSparkDoesNotReadIsLeftOut() throws IOException {
        Files.createDirectories(folder.resolve("real/deep"));
        Files.createDirectories(folder.resolve("texts/.git"));
        Files.writeString(folder.resolve("real/deep/one"), "one");
        Files.writeString(folder.resolve("texts/two.txt"), "two!");
        Files.writeString(folder.resolve("texts/.hidden"), "no");
        Files.writeString(folder.resolve("texts/.git/config"), "no");
        Files.writeString(folder.resolve("texts/_marker"), "no");
        Files.writeString(folder.resolve("texts/packed.gz"), "no");
        Files.createSymbolicLink(folder.resolve("texts/linked"), folder.resolve("real"));

        Texts texts = Texts.in(folder.resolve("texts"));

        assertThat(texts.files()).containsExactly(Path.of("linked/deep/one"), Path.of("two.txt"));
        assertThat(texts.bytes()).isEqualTo(7);
        assertThat(texts.leftOut()).isEqualTo(4);
    }

    @Test
    void runningJdkHasTexts() throws IOException {
        assertThat(Texts.in(Texts.ofJdk()).files()).isNotEmpty();
    }

    @Test
    void missingFolderIsNamed() {
        assertThatThrownBy(() -> Texts.in(folder.resolve("absent")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("absent: no such folder");
    }

    @Test
    void emptyFolderIsNamed() {
        assertThatThrownBy(() -> Texts.in(folder)).hasMessageContaining("no text to count in " + folder);
    }
}
