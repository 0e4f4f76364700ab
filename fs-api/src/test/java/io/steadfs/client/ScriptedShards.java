package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.call.Waiting;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CloseSessionReply;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.OpenSessionReply;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Three shards that answer the requests of one kind by a script, in the order in which they come to any of them, and a
 * client. Sessions are opened and closed as asked. A script that has come to its end answers what {@link #otherwise} says.
 */
public final class ScriptedShards {
    public static final int SHARDS = 3;
    private static final long TRY_MILLIS = 1_000;

    /** What a shard was asked. */
    public record Asked(int shard, Request request) {}

    public final SimulatedTime time = new SimulatedTime(1);
    public final MemoryNetwork network = new MemoryNetwork(time, 2);
    public final List<Asked> asked = new ArrayList<>();
    public final List<Asked> closed = new ArrayList<>();
    final Deque<Optional<Reply>> script = new ArrayDeque<>();
    public Optional<Reply> otherwise = Optional.empty();
    public final AsyncSteadFs fs;

    /** Settings of a client whose walks begin at the root. */
    public static final Map<String, String> BY_COMPONENT = Map.of("stead.lookup", "component");

    public ScriptedShards() {
        this(Map.of());
    }

    /** @param more settings of the client */
    public ScriptedShards(Map<String, String> more) {
        ClusterMap.Builder map = ClusterMap.newBuilder().setEpoch(1).setShardCount(SHARDS);
        for (int number = 0; number < SHARDS; number++) {
            map.addShardsBuilder().setNumber(number).setServer(number);
            map.addServersBuilder()
                    .setRole(ClusterMap.Role.MDS)
                    .setId(number)
                    .setHost(address(number).host())
                    .setPort(1);
            int shard = number;
            network.start(address(number), call -> handle(shard, map.build(), call));
        }
        fs = new AsyncSteadFs(
                network.client("client"),
                time,
                time,
                new Random(1),
                Settings.of(Map.of("stead.client.attempt.timeout", String.valueOf(TRY_MILLIS)))
                        .with(more),
                List.of(address(0)),
                Caller.newBuilder().setUser("ann").build());
    }

    public static ServerAddress address(int shard) {
        return new ServerAddress("mds" + shard, 1);
    }

    public static Handle directory(int shard, int number) {
        return Handle.of(Handle.shardOwner(shard), 0, number);
    }

    private void handle(int shard, ClusterMap map, RequestHandler.Call call) {
        Request request = call.request();
        int named = request.kind() == Kind.CLUSTER_MAP ? 0 : shard + 1;
        assertThat(request.header().getShard())
                .as("shard in the header of %s", request.kind())
                .isEqualTo(named);
        switch (request.kind()) {
            case CLUSTER_MAP ->
                call.reply(Reply.ok(ClusterMapReply.newBuilder().setMap(map).build()));
            case OPEN_SESSION ->
                call.reply(Reply.ok(
                        OpenSessionReply.newBuilder().setDurationMillis(600_000).build()));
            case CLOSE_SESSION -> {
                closed.add(new Asked(shard, request));
                call.reply(Reply.ok(CloseSessionReply.getDefaultInstance()));
            }
            default -> {
                asked.add(new Asked(shard, request));
                // A try that is not answered is one that the network lost.
                (script.isEmpty() ? otherwise : script.remove()).ifPresent(call::reply);
            }
        }
    }

    /** The next request is answered so. */
    public ScriptedShards then(Reply reply) {
        script.add(Optional.of(reply));
        return this;
    }

    public ScriptedShards then(FsError error) {
        return then(Reply.refused(Kind.DELETE, error, "as the script says"));
    }

    /** The next request is not answered. */
    public ScriptedShards thenNothing() {
        script.add(Optional.empty());
        return this;
    }

    public ScriptedShards thenGoOn(Handle directory, String path) {
        return then(goOn(directory, path));
    }

    static Reply goOn(Handle directory, String path) {
        return Reply.refused(
                Kind.DELETE,
                FsError.CONTINUE,
                ReplyHeader.newBuilder().setContinueDirectory(directory.value()).setContinuePath(path));
    }

    public <T> T await(CompletableFuture<T> future) throws FsException {
        time.runUntil("an operation's end", future::isDone, 600_000);
        return Waiting.on(future, "test");
    }
}
