package io.steadfs.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void numbersAreAlignedRight() {
        TextTable table = new TextTable(1, "word", "times")
                .row("the", 1234567L)
                .row("steadfast", 2)
                .row("a", 0.5);

        assertThat(table).hasToString("""
                          word            times
                          the         1,234,567
                          steadfast           2
                          a                0.50
                        """);
    }
}
