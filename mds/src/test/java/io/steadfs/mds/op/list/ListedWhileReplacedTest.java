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
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A name that files of another shard are renamed over, one after the other, is in every listing, although what a
 * listing asks that shard arrives when the file it met may be gone.
 */
class ListedWhileReplacedTest {
    private static final int SHARDS = 3;
    private static final int LISTINGS = 100;

    private final SimulatedShards cluster = new SimulatedShards(SHARDS, 5);
    private final WalkingClient writer = new WalkingClient(cluster, 42, "root");
    private final WalkingClient reader = new WalkingClient(cluster, 43, "root");
    private int made;
    private boolean stopped;

    /** Directory below the root that belongs on the shard. */
    private static String nameOn(int shard) {
        return "/" + PlacedName.on(shard, SHARDS, Handle.ROOT, 1);
    }

    private Reply run(WalkingClient client, Kind kind, Message body) {
        CompletableFuture<Reply> answer = client.begin(kind, body);
        Reply reply = cluster.await(kind.toString(), answer);
        assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.OK);
        return reply;
    }

    private void mkdir(String path) {
        run(
                writer,
                Kind.MKDIRS,
                MkdirsRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMode(0755)
                        .build());
    }

    private void replaceOnAndOn() {
        String source = nameOn(1) + "/f" + made++;
        CreateRequest create = CreateRequest.newBuilder()
                .setLocation(Shell.at(source))
                .setMode(0644)
                .build();
        RenameRequest rename = RenameRequest.newBuilder()
                .setSource(Shell.at(source))
                .setTarget(Shell.at(nameOn(0) + "/f"))
                .setMode(RenameRequest.Mode.OVERWRITE)
                .build();
        var unused = writer.begin(Kind.CREATE, create)
                .thenCompose(created -> writer.begin(Kind.RENAME, rename))
                .thenAccept(renamed -> {
                    if (!stopped) {
                        cluster.time().after(300, this::replaceOnAndOn);
                    }
                });
    }

    private List<Entry> list(boolean tree) {
        return tree
                ? ((ListTreeReply) run(
                                        reader,
                                        Kind.LIST_TREE,
                                        ListTreeRequest.newBuilder()
                                                .setLocation(Shell.at(nameOn(0)))
                                                .build())
                                .body())
                        .getEntriesList()
                : ((ListReply) run(
                                        reader,
                                        Kind.LIST,
                                        ListRequest.newBuilder()
                                                .setLocation(Shell.at(nameOn(0)))
                                                .build())
                                .body())
                        .getEntriesList();
    }

    private long looks() {
        return cluster.network().trace().stream()
                .filter(line -> line.contains("LOOK_UP"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isInEveryListing(boolean tree) {
        mkdir(nameOn(0));
        mkdir(nameOn(1));
        cluster.shard(0).sendLate(Kind.STAT_HANDLES, 150);
        replaceOnAndOn();
        cluster.time().runUntil("the name is there", () -> made > 1, 60_000);
        for (int i = 0; i < LISTINGS; i++) {
            assertThat(list(tree)).as("listing " + i).extracting(Entry::getName).containsExactly("f");
        }
        assertThat(made).isGreaterThan(LISTINGS / 10);
        stopped = true;
        cluster.time().runFor(1_000);
        cluster.quiet();
        assertThat(looks()).as("names that were looked at again").isPositive();
    }
}
