package io.steadfs.mds.copy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.StrayDirentGone;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.mds.testing.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which records change rows that other shards may have copies of. */
class CopiedRowsTest {
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(0), 0, 100);
    private static final Handle CHILD = Handle.of(Handle.shardOwner(1), 0, 101);
    private static final Handle OTHER = Handle.of(Handle.shardOwner(1), 0, 102);
    private static final DirentKey SUB = DirentKey.of(DIRECTORY, "sub");
    private static final DirentKey FILE = DirentKey.of(DIRECTORY, "file");
    private static final DirectoryRow ROW = DirectoryRow.newBuilder()
            .setMode(0755)
            .setOwner("anna")
            .setGroup("staff")
            .setVersion(1)
            .build();
    private static final LockRow LOCK =
            LockRow.newBuilder().setCoordinator(2).setIntent(5).build();

    private final State state = State.of();

    CopiedRowsTest() {
        state.replay(List.of(
                new DirectorySet(DIRECTORY, ROW), DirentSet.directory(SUB, CHILD), DirentSet.file(FILE, OTHER)));
    }

    private List<CopyKey> changedBy(LogRecord... records) {
        return CopiedRows.changedBy(List.of(records), state.view());
    }

    private static ByteString bytes(DirentKey key) {
        byte[] name = key.name().getBytes(StandardCharsets.UTF_8);
        return ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES + name.length)
                .putLong(key.directory().value())
                .putLong(key.hash())
                .put(name)
                .array());
    }

    private static DirentRow locked(DirentSet set) {
        return set.row().toBuilder().setLock(LOCK).build();
    }

    @Test
    void aDirectorysNameThatGoesOrLeadsElsewhere() {
        CopyKey sub = new CopyKey(DIRECTORY, "sub");
        assertThat(changedBy(new DirentGone(SUB))).containsExactly(sub);
        assertThat(changedBy(DirentSet.directory(SUB, OTHER))).containsExactly(sub);
        assertThat(changedBy(DirentSet.file(SUB, OTHER))).containsExactly(sub);
        assertThat(changedBy(new StrayDirentGone(bytes(SUB)))).containsExactly(sub);
    }

    @Test
    void aDirectorysNameThatBecomesHeldAndNotOneThatIsFreedAgain() {
        DirentSet free = DirentSet.directory(SUB, CHILD);
        DirentSet held = new DirentSet(SUB, locked(free));
        assertThat(changedBy(held)).containsExactly(new CopyKey(DIRECTORY, "sub"));
        state.replay(List.of(held));
        assertThat(changedBy(free)).isEmpty();
        assertThat(changedBy(held)).isEmpty();
    }

    @Test
    void noNamesOfFilesAndNoNewNames() {
        DirentKey fresh = DirentKey.of(DIRECTORY, "new");
        assertThat(changedBy(
                        new DirentGone(FILE),
                        DirentSet.directory(FILE, CHILD),
                        DirentSet.directory(fresh, OTHER),
                        new DirentGone(fresh),
                        new StrayDirentGone(bytes(FILE)),
                        new StrayDirentGone(ByteString.copyFrom(new byte[3]))))
                .isEmpty();
    }

    @Test
    void whoMayPassADirectoryAndNothingElseOfIt() {
        CopyKey row = CopyKey.ofRow(DIRECTORY);
        assertThat(changedBy(new DirectorySet(
                        DIRECTORY, ROW.toBuilder().setMode(0700).build())))
                .containsExactly(row);
        assertThat(changedBy(new DirectorySet(
                        DIRECTORY, ROW.toBuilder().setOwner("ben").build())))
                .containsExactly(row);
        assertThat(changedBy(new DirectorySet(
                        DIRECTORY, ROW.toBuilder().setGroup("dev").build())))
                .containsExactly(row);
        assertThat(changedBy(new DirectorySet(
                        DIRECTORY, ROW.toBuilder().setSplit(true).build())))
                .containsExactly(row);
        assertThat(changedBy(
                        new DirectorySet(
                                DIRECTORY,
                                ROW.toBuilder()
                                        .setAccessTime(5)
                                        .setVersion(2)
                                        .setParent(CHILD.value())
                                        .setLock(LOCK)
                                        .build()),
                        new DirectorySet(OTHER, ROW)))
                .isEmpty();
    }
}
