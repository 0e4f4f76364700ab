package io.steadfs.fsck;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import java.util.List;

/** Servers by a cluster map, each asked once, without a retry. */
public final class ClusterServers implements CheckedServers {
    private static final long TIMEOUT_MILLIS = 60_000;

    private final Transport transport;
    private final ClusterMap map;
    private final Caller caller;

    public ClusterServers(Transport transport, ClusterMap map, Caller caller) {
        this.transport = transport;
        this.map = map;
        this.caller = caller;
    }

    @Override
    public int shards() {
        return map.getShardCount();
    }

    @Override
    public List<Integer> ioServers() {
        return map.getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.IO)
                .map(ClusterMap.Server::getId)
                .sorted()
                .toList();
    }

    @Override
    public <T extends MessageLite> T askShard(int shard, Kind kind, MessageLite body, Class<T> reply)
            throws FsException {
        ServerAddress address = ShardAddresses.find(map, shard)
                .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "shard " + shard + " is on no server"));
        return ask("shard " + shard, address, shard + 1, kind, body, reply);
    }

    @Override
    public <T extends MessageLite> T askIo(int server, Kind kind, MessageLite body, Class<T> reply) throws FsException {
        ServerAddress address = map.getServersList().stream()
                .filter(each -> each.getRole() == ClusterMap.Role.IO && each.getId() == server && each.getPort() > 0)
                .map(each -> new ServerAddress(each.getHost(), each.getPort()))
                .findAny()
                .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "IO server " + server + " has no address"));
        return ask("IO server " + server, address, 0, kind, body, reply);
    }

    private <T extends MessageLite> T ask(
            String name, ServerAddress address, int headerShard, Kind kind, MessageLite body, Class<T> reply)
            throws FsException {
        RequestHeader.Builder header = RequestHeader.newBuilder()
                .setStep("fsck")
                .setShard(headerShard)
                .setEpoch(map.getEpoch())
                .setCaller(caller);
        return DirectQuestion.ask(transport, name, address, kind, header, body, reply, TIMEOUT_MILLIS);
    }
}
