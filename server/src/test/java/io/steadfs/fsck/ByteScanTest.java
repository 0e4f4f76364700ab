package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.proto.ListedColumn;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bad bytes are a finding. */
class ByteScanTest {
    private static final int CHUNK = 64 << 10;

    /** @param end of what counts of the datafile; -1 = the file was not truncated */
    @ParameterizedTest
    @CsvSource({
        "-1,    0,      true",
        "-1,    131072, true",
        "0,     0,      false",
        "1,     0,      true",
        "65536, 0,      true",
        "65536, 65536,  false",
        "65537, 65536,  true",
        "65537, 131072, false"
    })
    void aChunkBehindTheEndDoesNotCount(long end, long offset, boolean counts) {
        assertThat(offset % CHUNK).isZero();
        ListedColumn.Builder column = ListedColumn.newBuilder();
        if (end >= 0) {
            column.setEnd(end);
        }
        assertThat(ByteScan.counts(column.build(), offset)).isEqualTo(counts);
    }
}
