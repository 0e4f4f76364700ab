package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.CountedReads;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operations at depth 4 read, which is the same in a cluster of one shard and of several. */
class WalkCostTest {
    /** The end of the grace, the claim, that it has not ended, and the session that makes it. */
    private static final int CLAIM = 4;

    private final Store store;
    private final Shell shell;

    WalkCostTest(@TempDir Path directory) throws IOException {
        store = new VolatileTables(
                RocksStore.open(directory.resolve("store"), ShardTables.ALL, Settings.defaults(), 1 << 20),
                LifeTables.ALL);
        shell = new Shell(State.in(store));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Shard 0 of so many, with all of the path's directories on it. */
    private void build(int shards) {
        shell.cluster = shell.cluster.toBuilder().setShardCount(shards).build();
        shell.given("mkdirs /a/b/c; create /a/b/c/f");
    }

    private CountedReads ask(StatRequest request) {
        try (Store.Snapshot glance = store.glance()) {
            CountedReads counted = new CountedReads(glance);
            Reply reply = new Stat().answer(request, Shell.principal("anna"), counted, shell.inputs());
            assertThat(reply.error()).isEqualTo(FsError.OK);
            return counted;
        }
    }

    private <Q extends MessageLite> CountedReads decide(Operation<Q> operation, Q request) {
        try (Overlay overlay = store.overlay()) {
            CountedReads counted = new CountedReads(overlay);
            Reply reply = operation
                    .decide(request, Shell.principal("root"), counted, shell.inputs())
                    .answer();
            assertThat(reply.error()).isEqualTo(FsError.OK);
            return counted;
        }
    }

    private static void assertReads(CountedReads counted, int rows) {
        assertThat(counted.rows()).isEqualTo(rows);
        assertThat(counted.scans()).isZero();
    }

    private static StatRequest stat(Location location) {
        return StatRequest.newBuilder().setLocation(location).build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aWarmStatReadsTheNameAndTheFile(int shards) {
        build(shards);
        ask(stat(Shell.at("/a/b/c/f")));
        assertReads(ask(stat(Shell.at("/a/b/c/f"))), 2 + CLAIM);
    }

    /** As another shard sends it on: the start, and whether it was cut off, are part of the way. */
    @ParameterizedTest
    @ValueSource(strings = {"/a", "/a/b", "/a/b/c"})
    void soDoesOneThatAnotherShardSentOn(String start) {
        build(3);
        Handle directory = new Handle(shell.stat(start).getHandle());
        Location location = shell.from("anna", directory, "/a/b/c/f".substring(start.length() + 1));
        ask(stat(location));
        assertReads(ask(stat(location)), 2 + CLAIM);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aCreateReadsNoRange(int shards) {
        build(shards);
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at("/a/b/c/new"))
                .setMode(0644)
                .build();
        assertReads(decide(new CreateFile(0), request), 11);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aRenameReadsNoRange(int shards) {
        build(shards);
        RenameRequest request = RenameRequest.newBuilder()
                .setSource(Shell.at("/a/b/c/f"))
                .setTarget(Shell.at("/a/b/c/g"))
                .setMode(RenameRequest.Mode.NO_REPLACE)
                .build();
        assertReads(decide(new RenamePath(), request), 17);
    }

    /** The reads of a view that keeps nothing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aColdStatReadsNoRangeEither(int shards) {
        build(shards);
        ReadView committed = store.committed();
        CountedReads counted = new CountedReads(committed);
        assertThat(new Stat()
                        .answer(stat(Shell.at("/a/b/c/f")), Shell.principal("anna"), counted, shell.inputs())
                        .error())
                .isEqualTo(FsError.OK);
        assertReads(counted, 9 + CLAIM);
    }
}
