package io.steadfs.mds.dirent;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import org.junit.jupiter.api.Test;

/** What a check sees of a row of a name. */
class MetDirentTest {
    private static final SymlinkRow LINK =
            SymlinkRow.newBuilder().setTarget("x").build();

    private static MetDirent of(DirentRow.Builder row) {
        DirentKey key = DirentKey.of(Handle.ROOT, "name");
        return MetDirent.of(key.bytes(), row.setHandle(7).build().toByteArray());
    }

    @Test
    void aSymbolicLinkHasATargetAndNothingElseHas() {
        assertThat(of(DirentRow.newBuilder().setType(EntryType.ENTRY_SYMLINK).setSymlink(LINK))
                        .row())
                .isPresent();
        assertThat(of(DirentRow.newBuilder().setType(EntryType.ENTRY_FILE)).row())
                .isPresent();
        MetDirent without = of(DirentRow.newBuilder().setType(EntryType.ENTRY_SYMLINK));
        assertThat(without.row()).isEmpty();
        assertThat(without.unreadable()).isEqualTo("a symbolic link without a target");
        MetDirent file = of(DirentRow.newBuilder().setType(EntryType.ENTRY_FILE).setSymlink(LINK));
        assertThat(file.row()).isEmpty();
        assertThat(file.unreadable()).isEqualTo("a target, and is no symbolic link");
    }
}
