package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import org.junit.jupiter.api.Test;

/** Which lengths a file may have, by what its writers were told. */
class ContentsTest {
    private static final Handle FILE = new Handle(7);

    private final Contents contents = new Contents();

    private boolean mayHave(long length) {
        return contents.wrongLength(FILE, length).isEmpty();
    }

    @Test
    void aClosedFileHasOneLength() {
        Contents.Writer writer = contents.open(FILE, 1, 0);
        writer.next(10);
        assertThat(mayHave(0)).as("nothing was told yet").isTrue();
        writer.closed(1);
        assertThat(mayHave(10)).isTrue();
        assertThat(mayHave(9)).isFalse();
        assertThat(mayHave(11)).isFalse();
    }

    /** Seed 26775: the reply to a close came when another client had appended already, and died. */
    @Test
    void aCloseThatIsHeardOfLateSaysNothingOfTheNextWriter() {
        Contents.Writer first = contents.open(FILE, 1, 0);
        first.next(10);
        contents.open(FILE, 2, 10).next(5);
        first.closed(1);
        assertThat(mayHave(10)).isTrue();
        assertThat(mayHave(15)).isTrue();
        assertThat(mayHave(9)).isFalse();
        assertThat(mayHave(16)).isFalse();
    }

    @Test
    void aFileIsOpenUntilItsWriterClosesItOnceItsBytesAreVisible() {
        Contents.Writer first = contents.open(FILE, 1, 0);
        assertThat(contents.mustBeOpen(FILE, 1, 5)).isFalse();
        first.next(10);
        first.flushed(5);
        assertThat(contents.mustBeOpen(FILE, 1, 5)).isTrue();
        assertThat(contents.mustBeOpen(FILE, 1, 4)).as("before").isFalse();
        assertThat(contents.mustBeOpen(FILE, 2, 5)).isFalse();
        first.closing();
        assertThat(contents.mustBeOpen(FILE, 1, 5)).isFalse();
    }
}
