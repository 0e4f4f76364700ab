package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.FileStoreDisk;
import io.steadfs.disk.Space;
import io.steadfs.hello.Welcome;
import io.steadfs.mds.call.LongReads;
import io.steadfs.mds.call.Refusals;
import io.steadfs.mds.call.ShardDoors;
import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.mds.move.StoreDoor;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.ServerId;
import io.steadfs.metrics.MetricsServer;
import io.steadfs.rpc.AudienceDoor;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RecentDoor;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyServer;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.server.Administrators;
import io.steadfs.server.ConfigurationDoor;
import io.steadfs.server.OpenedParts;
import io.steadfs.time.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A metadata server as a process runs it: one directory, one port, and its shards. Each shard has its own store, writer
 * and duties. If one shard stops, the other shards go on. A new server has no shard until shards are added for it or move
 * to it.
 *
 * <pre>
 *  directory/      {@link StoreDirectories}
 *    shard-0/      RocksDB, tables in {@link ShardTables}
 *    shard-2/      likewise
 * </pre>
 *
 * The heap does not grow with the number of files in the file system. The server keeps its knowledge of files in the
 * store, whose memory is bounded by configuration.
 */
public final class MdsServer implements AutoCloseable {
    private final OpenedParts opened = new OpenedParts();

    private final HostedShards shards;
    private final MetricsServer metrics;
    private final ServerAddress address;

    /**
     * Starts to serve. The server is announced when the constructor returns.
     *
     * @param serverId number of this server, from 1
     * @param directory directory of the server; the caller holds its lock
     * @param host host name or address to listen on
     * @param port port to listen on; 0 = any free port
     * @param announcedHost the host name under which others reach this server
     * @param neighbours the file system that the server joins; closed together with the server
     * @param loops remain the caller's, who closes the loops after this server
     * @throws IOException if something cannot be used, which the message names; nothing is left open then
     */
    public MdsServer(
            int serverId,
            Path directory,
            String host,
            int port,
            String announcedHost,
            Neighbours neighbours,
            EventLoops loops,
            Settings settings)
            throws IOException {
        opened.keep(neighbours);
        try {
            SystemClock clock = new SystemClock();
            long startedNanos = clock.monotonicNanos();
            MessageCounters messages = MessageCounters.keeping(settings);
            Refusals refusals = new Refusals();
            NettyOptions network = NettyOptions.from(settings);
            Welcome welcome = neighbours.welcome();
            Administrators administrators = Administrators.from(settings, neighbours.superuser());
            DurableDirectories.make(directory);
            Space space = new Space(new FileStoreDisk(directory), settings.get(Space.RESERVE), clock);
            LongReads longReads = opened.keep(LongReads.from(settings));
            NettyTransport transport =
                    opened.keep(new NettyTransport(loops, network, messages, clock, welcome.introduction()));
            HostedShard.Surroundings around = new HostedShard.Surroundings(
                    serverId,
                    new StoreDirectories(directory),
                    space,
                    administrators.superuser(),
                    clock,
                    transport,
                    longReads,
                    neighbours,
                    settings);
            shards = opened.keep(new HostedShards(around));
            shards.open();
            MdsStatus status = new MdsStatus(
                    serverId,
                    () -> TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startedNanos),
                    neighbours,
                    messages,
                    refusals,
                    longReads::waiting,
                    space,
                    shards.accounts(),
                    shards::troubles);
            StoreDoor door = opened.keep(
                    shards.storeDoor(new ShardDoors("mds-" + serverId, shards.doors(), status, neighbours::map)));
            metrics = opened.keep(
                    MetricsServer.start(ServerId.mds(serverId), settings, status, () -> reasons(neighbours)));
            RequestHandler inside =
                    new ConfigurationDoor(new RecentDoor(metrics.toldBy(door), messages.recent(), clock), settings);
            RequestHandler front = refusals.counted(new AudienceDoor(inside, administrators::include));
            NettyServer server =
                    opened.keep(NettyServer.listen(loops, host, port, network, front, messages, clock, welcome));
            address = new ServerAddress(announcedHost, server.address().port());
            neighbours.announce(address);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Why the server does not serve everything; empty if it serves everything. */
    private List<String> reasons(Neighbours neighbours) {
        List<String> reasons = new ArrayList<>(neighbours.problems());
        reasons.addAll(troubles().values());
        return reasons;
    }

    /** The address that the server announced to the file system. */
    public ServerAddress address() {
        return address;
    }

    /** The address of {@code /metrics} and {@code /health}; empty if the server does not serve these pages. */
    public Optional<ServerAddress> metricsAddress() {
        return metrics.address();
    }

    /** Numbers of the shards that this server hosts. */
    public SortedSet<Integer> shards() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(shards.all().keySet()));
    }

    /** Why shards do not serve everything, by shard number. A shard that serves everything is left out. */
    public SortedMap<Integer, String> troubles() {
        SortedMap<Integer, String> troubles = new TreeMap<>();
        shards.all().forEach((number, shard) -> shard.trouble().ifPresent(why -> troubles.put(number, why)));
        return troubles;
    }

    /**
     * Stops the server in this order: answers the requests under way, ends the duties and the current batches, closes
     * the stores, leaves the file system. A second close is harmless.
     */
    @Override
    public void close() {
        opened.close();
    }
}
