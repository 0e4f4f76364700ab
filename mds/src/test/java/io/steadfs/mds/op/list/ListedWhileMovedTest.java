package io.steadfs.mds.op.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.PlacedName;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.WalkingClient;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameRequest;
import org.junit.jupiter.api.Test;

/**
 * Directories that were moved to another shard are gone from a tree's listing, although the shard that they left has not
 * heard of the end yet; so it does not matter that the caller might not look into them.
 */
class ListedWhileMovedTest {
    private static final int SHARDS = 3;
    private static final int MOVED = 12;
    private static final long LATE_MILLIS = 5_000;

    private final SimulatedShards cluster = new SimulatedShards(SHARDS, 5);
    private final WalkingClient root = new WalkingClient(cluster, 42, "root");
    private final WalkingClient alice = new WalkingClient(cluster, 43, "alice");

    /** Directory below the root that belongs on the shard. */
    private static String nameOn(int shard) {
        return "/" + PlacedName.on(shard, SHARDS, Handle.ROOT, 1);
    }

    private Reply run(WalkingClient client, Kind kind, Message body) {
        Reply reply = cluster.await(kind.toString(), client.begin(kind, body));
        assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.OK);
        return reply;
    }

    private void mkdir(String path, int mode) {
        run(
                root,
                Kind.MKDIRS,
                MkdirsRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMode(mode)
                        .build());
    }

    @Test
    void isNoReasonToRefuseAListing() {
        String source = nameOn(0);
        String target = nameOn(1);
        mkdir(source, 0777);
        mkdir(target, 0777);
        cluster.shard(1).sendLate(Kind.FINISH, LATE_MILLIS);
        for (int i = 0; i < MOVED; i++) {
            mkdir(source + "/b" + i, 0);
            run(
                    root,
                    Kind.RENAME,
                    RenameRequest.newBuilder()
                            .setSource(Shell.at(source + "/b" + i))
                            .setTarget(Shell.at(target + "/b" + i))
                            .setMode(RenameRequest.Mode.NO_REPLACE)
                            .build());
            ListTreeReply listed = (ListTreeReply) run(
                            alice,
                            Kind.LIST_TREE,
                            ListTreeRequest.newBuilder()
                                    .setLocation(Shell.at(source))
                                    .setWantDirectories(true)
                                    .build())
                    .body();
            assertThat(listed.getEntriesList()).as("after move " + i).isEmpty();
        }
        cluster.quiet();
    }
}
