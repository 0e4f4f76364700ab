package io.steadfs.cli.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.timeline.ServedMessage;
import io.steadfs.timeline.Span;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BarLineTest {
    /** One character for each nanosecond. */
    private final BarLine bars = new BarLine(BarLine.CHARACTERS - 1);

    @Test
    void aBarIsWhereItsTimeIs() {
        assertThat(bars.sent(new Span(0, 3)).stripTrailing()).isEqualTo("----");
        assertThat(bars.sent(new Span(2, 2)).stripTrailing()).isEqualTo("  -");
        assertThat(bars.sent(new Span(60, 63))).hasSize(BarLine.CHARACTERS).endsWith(" ----");
    }

    @Test
    void waitWorkAndCommitFollowEachOther() {
        ServedMessage served = new ServedMessage(new Span(1, 9), 3, Optional.of(new Span(5, 7)), FsError.OK);
        assertThat(bars.served(served).stripTrailing()).isEqualTo(" ..==###==");
        ServedMessage read = new ServedMessage(new Span(1, 4), 1, Optional.empty(), FsError.OK);
        assertThat(bars.served(read).stripTrailing()).isEqualTo(" ====");
    }

    @Test
    void whatLiesOutsideIsShownAtTheEdge() {
        assertThat(bars.sent(new Span(-9, -5)).stripTrailing()).isEqualTo("-");
        assertThat(bars.sent(new Span(90, 95))).endsWith(" -");
        assertThat(new BarLine(0).sent(new Span(0, 0)).stripTrailing()).isEqualTo("-");
    }
}
