package io.steadfs.mds.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.AncestorsRequest;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PeerShardsTest {
    private static final Caller CALLER = Caller.newBuilder().setUser("ann").build();

    /** Servers 1 and 2; server 3 was never announced; shard 4 has no host. */
    private static final ClusterMap MAP = ClusterMap.newBuilder()
            .setEpoch(9)
            .setShardCount(5)
            .addServers(server(ClusterMap.Role.IO, 2, "io", 1))
            .addServers(server(ClusterMap.Role.MDS, 1, "one", 7001))
            .addServers(server(ClusterMap.Role.MDS, 2, "two", 7002))
            .addServers(server(ClusterMap.Role.MDS, 3, "", 0))
            .addShards(ClusterMap.Shard.newBuilder().setNumber(0).setServer(1))
            .addShards(ClusterMap.Shard.newBuilder().setNumber(1).setServer(2))
            .addShards(ClusterMap.Shard.newBuilder().setNumber(2).setServer(1))
            .addShards(ClusterMap.Shard.newBuilder().setNumber(3).setServer(3))
            .build();

    private record Sent(ServerAddress server, Request request, long timeoutMillis) {}

    private final List<Sent> sent = new ArrayList<>();

    private final PeerShards peers = new PeerShards(
            new Transport() {
                @Override
                public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                    sent.add(new Sent(server, request, timeoutMillis));
                    return CompletableFuture.completedFuture(Reply.ok(AncestorsReply.getDefaultInstance()));
                }

                @Override
                public void close() {}
            },
            () -> MAP,
            500);

    private static ClusterMap.Server server(ClusterMap.Role role, int id, String host, int port) {
        return ClusterMap.Server.newBuilder()
                .setRole(role)
                .setId(id)
                .setHost(host)
                .setPort(port)
                .build();
    }

    private Reply ask(int shard) {
        return peers.send(shard, Kind.ANCESTORS, "ancestors", CALLER, AncestorsRequest.getDefaultInstance())
                .join();
    }

    @Test
    void asksTheHostAndNamesTheShard() {
        for (int shard = 0; shard < 3; shard++) {
            assertThat(ask(shard).error()).isEqualTo(FsError.OK);
        }
        assertThat(sent)
                .extracting(each -> each.server().toString())
                .containsExactly("one:7001", "two:7002", "one:7001");
        assertThat(sent).extracting(each -> each.request().header().getShard()).containsExactly(1, 2, 3);
        assertThat(sent).allSatisfy(each -> {
            assertThat(each.timeoutMillis()).isEqualTo(500);
            assertThat(each.request().header().getEpoch()).isEqualTo(9);
            assertThat(each.request().header().getStep()).isEqualTo("ancestors");
            assertThat(each.request().header().getCaller()).isEqualTo(CALLER);
        });
    }

    @Test
    void aShardWithoutAnAddressIsUnreachable() {
        for (int shard : new int[] {3, 4, 77}) {
            Reply reply = ask(shard);
            assertThat(reply.error()).isEqualTo(FsError.UNREACHABLE);
            assertThat(reply.header().getMessage()).contains("shard " + shard).contains("epoch 9");
        }
        assertThat(sent).isEmpty();
    }
}
