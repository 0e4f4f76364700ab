package io.steadfs.mds.metafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.state.TypedRow;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Two fields, read past all others. */
class ClaimTermsTest {
    private static final MetafileRow FULL = MetafileRow.newBuilder()
            .setMode(0640)
            .setOwner("ann")
            .setGroup("staff")
            .setLength(1L << 40)
            .setModificationTime(1_700_000_000_000L)
            .setBlockSize(128 << 20)
            .setWriteGeneration(-1L)
            .setVersion(7)
            .setUntouchedSession(0x8000_0000_0000_0001L)
            .setLayout(LayoutRow.newBuilder().setStripSize(64 << 10).setWidth(1).addServers(3))
            .build();

    private static byte[] bytes(MetafileRow row) {
        return TypedRow.encode(Metafiles.TYPE, row);
    }

    @Test
    void areThoseOfTheWholeRow() throws IOException {
        assertThat(ClaimTerms.decode(bytes(FULL)))
                .isEqualTo(ClaimTerms.of(FULL))
                .isEqualTo(new ClaimTerms(0x8000_0000_0000_0001L, -1L));
        MetafileRow touched = FULL.toBuilder().clearUntouchedSession().build();
        assertThat(ClaimTerms.decode(bytes(touched))).isEqualTo(new ClaimTerms(0, -1L));
        assertThat(ClaimTerms.decode(bytes(MetafileRow.getDefaultInstance()))).isEqualTo(new ClaimTerms(0, 0));
    }

    @Test
    void aRowThatIsCutWithinAFieldIsRefused() {
        byte[] row = bytes(MetafileRow.newBuilder().setUntouchedSession(1).build());
        assertThatThrownBy(() -> ClaimTerms.decode(Arrays.copyOf(row, row.length - 1)))
                .isInstanceOf(IOException.class);
    }
}
