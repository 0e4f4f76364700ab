package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.ScriptedShards;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
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

    private static Reply goOn(FsError error, String path, PartitionMap map) {
        return Reply.refused(
                Kind.STAT,
                error,
                ReplyHeader.newBuilder()
                        .setContinueDirectory(DIRECTORY.value())
                        .setContinuePath(path)
                        .setPartitionMap(map.toProto()));
    }

    private FileInfo stat(String path) throws Exception {
        CompletableFuture<FileInfo> stat = fs.attributes().stat(FsPath.parse(path));
        time.runUntil("a stat", stat::isDone, 300_000);
        return Waiting.on(stat, "test");
    }

    @Test
    void goesOnWhereTheRepliesSay() throws Exception {
        PartitionMap split = PartitionMap.initial(DIRECTORY, SHARDS).split(0);
        String name = "e0";
        for (int i = 1; split.ownerOf(NameHash.of(name)) == 0; i++) {
            name = "e" + i;
        }
        String found = name;
        start(0, location -> goOn(FsError.CONTINUE, found + "/f", split));
        start(1, location -> goOn(FsError.WRONG_PARTITION, found + "/f", split));
        start(
                2,
                location -> Reply.ok(StatReply.newBuilder()
                        .setAttributes(Attributes.newBuilder().setHandle(location.getStart()))
                        .build()));

        assertThat(stat("d/" + found + "/f").handle()).isEqualTo(DIRECTORY);
        assertThat(asked).containsExactly("0:d/" + found + "/f", "1:" + found + "/f", "2:" + found + "/f");
        assertThat(fs.counters()).containsEntry("client.retries", 0L);
    }

    @Test
    void endlessHopsAreAFault() {
        PartitionMap map = PartitionMap.initial(DIRECTORY, SHARDS);
        start(0, location -> goOn(FsError.CONTINUE, "e", map));
        start(
                1,
                location -> Reply.refused(
                        Kind.STAT,
                        FsError.CONTINUE,
                        ReplyHeader.newBuilder()
                                .setContinueDirectory(Handle.ROOT.value())
                                .setContinuePath("e")));
        assertThatThrownBy(() -> stat("d/e")).hasMessageContaining("FAULT").hasMessageContaining("hop");
        assertThat(asked).hasSize(RetryingCall.MAX_HOPS + 1);
    }
}
