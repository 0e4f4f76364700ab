package io.steadfs.ioserver;

import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.hello.Welcome;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.SpaceReport;
import io.steadfs.ioserver.file.ChannelDataFiles;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.membership.ServerId;
import io.steadfs.metrics.MetricsServer;
import io.steadfs.rpc.AudienceDoor;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RecentDoor;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyServer;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.server.Administrators;
import io.steadfs.server.ConfigurationDoor;
import io.steadfs.server.OpenedParts;
import io.steadfs.server.Revival;
import io.steadfs.server.RevivalThread;
import io.steadfs.store.mark.StoreMarks;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An IO server as a process runs it: one directory with a store and files, one port, lanes, readers and duties.
 *
 * <pre>
 *  directory/
 *    store/    rows: RocksDB, tables in {@link io.steadfs.ioserver.datafile.DatafileTables}
 *    data/     files: {@link ChannelDataFiles}
 * </pre>
 */
public final class IoServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IoServer.class);
    private static final int READ_STOP_SECONDS = 10;

    private final OpenedParts opened = new OpenedParts();

    private final MetricsServer metrics;
    private final ServerAddress address;

    /**
     * Starts to serve. The server is announced when the constructor returns.
     *
     * @param serverId number of this server, 1 to 0x7fff
     * @param directory directory of the server; the caller holds its lock
     * @param host host name or address to listen on
     * @param port port to listen on; 0 = any free port
     * @param announcedHost the host name under which others reach this server
     * @param neighbours the file system that the server joins; closed together with the server
     * @param loops remain the caller's, who closes the loops after this server
     * @throws IOException if something cannot be used, which the message names; nothing is left open then
     */
    public IoServer(
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
            MessageCounters messages = MessageCounters.keeping(settings);
            NettyOptions network = NettyOptions.from(settings);
            Welcome welcome = neighbours.welcome();
            Administrators administrators = Administrators.from(settings, neighbours.superuser());

            ChannelDataFiles disk = opened.keep(new ChannelDataFiles(directory.resolve("data")));
            Space space = new Space(disk, settings.get(Space.RESERVE), clock);
            ThreadPoolExecutor readers = readers(serverId, settings);
            opened.keep(() -> stop(readers));
            NettyTransport transport =
                    opened.keep(new NettyTransport(loops, network, messages, clock, welcome.introduction()));
            ThreadScheduler scheduler = opened.keep(new ThreadScheduler("io-duties-" + serverId));
            RevivalThread reviving = opened.keep(new RevivalThread("io-revival-" + serverId));
            StoreMarks marks = new StoreMarks(
                    "IO server " + serverId,
                    DatafileTables.META,
                    neighbours.marks(),
                    clock,
                    (rows, incarnation) -> LeaseRows.revokeAll(rows),
                    neighbours.acceptedLoss());
            IoLife.Dependencies dependencies = new IoLife.Dependencies(
                    serverId,
                    disk,
                    space,
                    new ReservedHandles(serverId, neighbours),
                    marks,
                    clock,
                    scheduler,
                    readers,
                    transport,
                    neighbours::map,
                    neighbours::confirmShards,
                    neighbours::problems,
                    messages);
            Revival core = opened.keep(new Revival(
                    new Revival.Name(ClusterMap.Role.IO, serverId, "IO server " + serverId),
                    () -> new IoLife(directory.resolve("store"), dependencies, settings),
                    space,
                    scheduler,
                    reviving,
                    clock));
            SpaceReport report = opened.keep(new SpaceReport(
                    space,
                    () -> storedBytes(core),
                    neighbours::reportSpace,
                    scheduler,
                    readers,
                    settings.get(SpaceReport.INTERVAL)));

            metrics = opened.keep(MetricsServer.start(
                    ServerId.io(serverId), settings, core::status, () -> reasons(core, neighbours)));
            ConfigurationDoor inside =
                    new ConfigurationDoor(new RecentDoor(metrics.toldBy(core), messages.recent(), clock), settings);
            AudienceDoor front = new AudienceDoor(inside, administrators::include);
            NettyServer server =
                    opened.keep(NettyServer.listen(loops, host, port, network, front, messages, clock, welcome));
            address = new ServerAddress(announcedHost, server.address().port());
            neighbours.announce(address, space.capacityBytes(), space.usableBytes());
            neighbours.reportSpace(space.capacityBytes(), space.usableBytes(), storedBytes(core));
            report.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * The number of bytes of all datafiles. Returns 0 while the store is being opened again; the next report will be
     * right.
     */
    private static long storedBytes(Revival core) {
        return core.status().getGaugesOrDefault("space.stored.bytes", 0);
    }

    /** Why the server does not serve everything; empty if it serves everything. */
    private static List<String> reasons(Revival core, Neighbours neighbours) {
        List<String> reasons = new ArrayList<>(neighbours.problems());
        core.trouble().ifPresent(reasons::add);
        return reasons;
    }

    static ThreadPoolExecutor readers(int serverId, Settings settings) {
        int threads = settings.get(IoKeys.READERS).intValue();
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(settings.get(IoKeys.READ_QUEUE).intValue()),
                task -> new Thread(task, "io-reader-" + serverId + "-" + number.incrementAndGet()));
    }

    /**
     * Stops the readers without interrupting their threads. An interrupt would close the files that the threads read.
     */
    private static void stop(ThreadPoolExecutor readers) throws InterruptedException {
        readers.shutdown();
        if (!readers.awaitTermination(READ_STOP_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("reads are still at work {} s after the stop", READ_STOP_SECONDS);
        }
    }

    /** The address that the server announced to the file system. */
    public ServerAddress address() {
        return address;
    }

    /** The address of {@code /metrics} and {@code /health}; empty if the server does not serve these pages. */
    public Optional<ServerAddress> metricsAddress() {
        return metrics.address();
    }

    /**
     * Stops the server in this order: answers the requests in progress, makes every datafile durable, closes files and
     * store, leaves the file system. A second close is harmless.
     */
    @Override
    public void close() {
        opened.close();
    }
}
