package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.ScriptedShards;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.partition.NameHash;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.OpenSessionReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shards are added between two tries of a request. */
class AddedShardsTest {
    /** A directory that a client of four shards would look for at another shard than the first. */
    private static final String DIRECTORY = IntStream.range(0, 100)
            .mapToObj(number -> "d" + number)
            .filter(name -> Long.remainderUnsigned(NameHash.of(name), 4) != 0)
            .findFirst()
            .orElseThrow();

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryNetwork network = new MemoryNetwork(time, 2);
    private final List<Integer> asked = new ArrayList<>();
    private ClusterMap map = map(1, 1);

    private static ClusterMap map(long epoch, int serving) {
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(epoch)
                .setShardCount(1)
                .setServingShards(serving)
                .setAllShards(serving);
        for (int number = 0; number < 4; number++) {
            map.addShardsBuilder().setNumber(number).setServer(number + 1);
            map.addServersBuilder()
                    .setRole(ClusterMap.Role.MDS)
                    .setId(number + 1)
                    .setHost(ScriptedShards.address(number).host())
                    .setPort(1);
        }
        return map.build();
    }

    private void handle(int shard, RequestHandler.Call call) {
        switch (call.request().kind()) {
            case CLUSTER_MAP ->
                call.reply(Reply.ok(ClusterMapReply.newBuilder().setMap(map).build()));
            case OPEN_SESSION ->
                call.reply(Reply.ok(
                        OpenSessionReply.newBuilder().setDurationMillis(600_000).build()));
            default -> {
                asked.add(shard);
                if (asked.size() == 1) {
                    // The answer to the first try gets lost, and four shards serve from now on.
                    map = map(2, 4);
                } else {
                    call.reply(Reply.refused(call.request().kind(), FsError.ALREADY_EXISTS, "as the test asked"));
                }
            }
        }
    }

    /** Only the shard that was asked first has the recorded answer. */
    @Test
    void allTriesGoToOneShard() throws Exception {
        for (int number = 0; number < 4; number++) {
            int shard = number;
            network.start(ScriptedShards.address(shard), call -> handle(shard, call));
        }
        AsyncSteadFs fs = new AsyncSteadFs(
                network.client("client"),
                time,
                time,
                new Random(1),
                Settings.of(Map.of("stead.client.attempt.timeout", "500")),
                List.of(ScriptedShards.address(0)),
                Caller.newBuilder().setUser("ann").build());
        CompletableFuture<?> made = fs.names().mkdirs(FsPath.parse("/" + DIRECTORY + "/new"), 0755, false, true);
        time.runUntil("the answer to " + Kind.MKDIRS, made::isDone, 60_000);
        assertThat(made).isCompletedExceptionally();
        assertThat(asked).containsExactly(0, 0);
    }
}
