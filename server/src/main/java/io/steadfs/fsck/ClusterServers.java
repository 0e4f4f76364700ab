package io.steadfs.fsck;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds servers by the cluster map, and sends requests to the servers. If a server is busy or cannot be reached, the
 * request is sent again with a newer map. The pause before each further try is twice as long as the pause before. When
 * the time for one request is used up, the request fails. If the outcome of a repair is unknown, the repair is not sent
 * again, because the server could then do the repair twice. Between two repairs, a client may have changed the repaired
 * object. Not thread-safe.
 */
public final class ClusterServers implements CheckedServers {
    private static final long TIMEOUT_MILLIS = 60_000;
    private static final long LEAST_PAUSE_MILLIS = 50;
    private static final long MOST_PAUSE_MILLIS = 2_000;

    private final Transport transport;
    private final MapSource maps;
    private final Caller caller;
    private final long patienceMillis;
    private final Waiting waiting;
    private ClusterMap map;

    /** Gives the newest cluster map. */
    public interface MapSource {
        ClusterMap newest() throws FsException;
    }

    private interface Try<T> {
        T once() throws FsException;
    }

    /**
     * @param patienceMillis the time for one request with all its pauses and tries, in milliseconds. If a try is under
     *     way when this time ends, the method still waits for the answer
     */
    public ClusterServers(Transport transport, MapSource maps, Caller caller, long patienceMillis, Waiting waiting)
            throws FsException {
        this.waiting = waiting;
        this.transport = transport;
        this.maps = maps;
        this.caller = caller;
        this.patienceMillis = patienceMillis;
        this.map = maps.newest();
    }

    @Override
    public void pause(long millis) throws FsException {
        waiting.pause(millis);
    }

    @Override
    public String fileSystem() {
        return map.getFileSystem();
    }

    @Override
    public int shards() {
        return ShardCounts.of(map).all();
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
        return patiently(kind, () -> {
            ServerAddress address = ShardAddresses.find(map, shard)
                    .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "shard " + shard + " is on no server"));
            return ask("shard " + shard, address, shard + 1, kind, body, reply);
        });
    }

    @Override
    public <T extends MessageLite> T askIo(int server, Kind kind, MessageLite body, Class<T> reply) throws FsException {
        return patiently(kind, () -> {
            ServerAddress address = map.getServersList().stream()
                    .filter(each ->
                            each.getRole() == ClusterMap.Role.IO && each.getId() == server && each.getPort() > 0)
                    .map(each -> ShardAddresses.of(map, each))
                    .findAny()
                    .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "IO server " + server + " has no address"));
            return ask("IO server " + server, address, 0, kind, body, reply);
        });
    }

    /** Whether this error guarantees that the request was not executed and never will be. */
    private static boolean isDefinite(FsError error) {
        return !error.outcomeUnknown() && error != FsError.CANCELLED;
    }

    private <T> T patiently(Kind kind, Try<T> question) throws FsException {
        long began = waiting.nanos();
        long pauseMillis = LEAST_PAUSE_MILLIS;
        while (true) {
            try {
                return question.once();
            } catch (FsException e) {
                Resolver resolver = e.error().resolver();
                boolean mayPass = (resolver == Resolver.RETRY || resolver == Resolver.REFRESH)
                        && (kind != Kind.MEND || isDefinite(e.error()));
                long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(waiting.nanos() - began);
                if (!mayPass || elapsedMillis + pauseMillis > patienceMillis) {
                    throw e;
                }
            }
            waiting.pause(pauseMillis);
            pauseMillis = Math.min(MOST_PAUSE_MILLIS, 2 * pauseMillis);
            refreshIfPossible();
        }
    }

    @Override
    public void refresh() throws FsException {
        map = maps.newest();
    }

    /** Gets a newer map. If no server can give a map at present, the old map stays. */
    private void refreshIfPossible() throws FsException {
        try {
            refresh();
        } catch (FsException e) {
            if (e.error().resolver() != Resolver.RETRY && e.error().resolver() != Resolver.REFRESH) {
                throw e;
            }
        }
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
