package io.steadfs.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void whatCanBeShownStaysAsItIs() {
        assertThat(Printable.of("a\\b <b>\"' \u05d0 \ud83d\ude00")).isEqualTo("a\\b <b>\"' \u05d0 \ud83d\ude00");
    }

    @Test
    void controlsAndTurnsOfDirectionAreSpeltOut() {
        assertThat(Printable.of("a\\b\u001b[2J\n\u202egpj\u2028"))
                .isEqualTo("a\\\\b\\u001b[2J\\u000a\\u202egpj\\u2028");
    }

    @Test
    void halvesOfACharacterAreSpeltOut() {
        assertThat(Printable.of("\ud83d!")).isEqualTo("\\ud83d!");
        assertThat(Printable.of("\udb40\udc41"))
                .as("a format character of two halves")
                .isEqualTo("\\udb40\\udc41");
    }

    @Test
    void tablesAreMadeOfIt() {
        assertThat(new TextTable(1, "name").row("a\nb").toString()).contains("a\\u000ab");
    }
}
