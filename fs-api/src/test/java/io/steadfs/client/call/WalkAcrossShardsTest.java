package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.ScriptedShards;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A path walk that goes on at other shards. */
class WalkAcrossShardsTest {
    private static final int SHARDS = 3;
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(1), 0, 5);
    /** A partition of {@link #DIRECTORY}. */
    private static final Handle PARTITION = Handle.of(Handle.shardOwner(2), 0, 6);

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryNetwork network = new MemoryNetwork(time, 2);
    private final List<String> asked = new ArrayList<>();
    private final AsyncSteadFs fs = new AsyncSteadFs(
            network.client("client"),
            time,
            time,
            new Random(1),
            Settings.of(ScriptedShards.BY_COMPONENT),
            List.of(address(0)),
            Caller.getDefaultInstance());

    private static ServerAddress address(int shard) {
        return new ServerAddress("mds" + shard, 1);
    }

    /** Starts a shard that answers STAT by the function. */
    private void start(int shard, Function<Location, Reply> stat) {
        ClusterMap.Builder map = ClusterMap.newBuilder().setEpoch(1).setShardCount(SHARDS);
        for (int number = 0; number < SHARDS; number++) {
            map.addShardsBuilder().setNumber(number).setServer(number);
            map.addServersBuilder()
                    .setRole(ClusterMap.Role.MDS)
                    .setId(number)
                    .setHost(address(number).host())
                    .setPort(1);
        }
        RequestHandler handler = call -> {
            if (call.request().kind() == Kind.CLUSTER_MAP) {
                call.reply(Reply.ok(ClusterMapReply.newBuilder().setMap(map).build()));
                return;
            }
            Location location = ((StatRequest) call.request().body()).getLocation();
            asked.add(shard + ":" + location.getPath());
            call.reply(stat.apply(location));
        };
        network.start(address(shard), handler);
    }

    private static Reply goOn(Handle directory, String path) {
        return Reply.refused(
                Kind.STAT,
                FsError.CONTINUE,
                ReplyHeader.newBuilder().setContinueDirectory(directory.value()).setContinuePath(path));
    }

    private FileInfo stat(String path) throws Exception {
        CompletableFuture<FileInfo> stat = fs.attributes().stat(FsPath.parse(path));
        time.runUntil("a stat", stat::isDone, 300_000);
        return Waiting.on(stat, "test");
    }

    @Test
    void goesOnWhereTheRepliesSay() throws Exception {
        start(0, location -> goOn(DIRECTORY, "e/f"));
        start(1, location -> goOn(PARTITION, "e/f"));
        start(
                2,
                location -> Reply.ok(StatReply.newBuilder()
                        .setAttributes(Attributes.newBuilder().setHandle(location.getStart()))
                        .build()));

        assertThat(stat("d/e/f").handle()).isEqualTo(PARTITION);
        assertThat(asked).containsExactly("0:d/e/f", "1:e/f", "2:e/f");
        assertThat(fs.counters()).containsEntry("client.retries", 0L);
    }

    @Test
    void endlessHopsAreAFault() {
        start(0, location -> goOn(DIRECTORY, "e"));
        start(1, location -> goOn(Handle.ROOT, "e"));
        assertThatThrownBy(() -> stat("d/e")).hasMessageContaining("FAULT").hasMessageContaining("hop");
        assertThat(asked).hasSize(RetryingCall.MAX_HOPS + 1);
    }
}
