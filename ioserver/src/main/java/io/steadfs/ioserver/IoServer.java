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
 * An IO server as a process runs it: one directory with a store and files, one port, lanes and readers, and duties.
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
     * Starts serving. The server is announced on return.
     *
     * @param serverId of this server, 1 to 0x7fff
     * @param directory whose lock the caller holds
     * @param host to listen on
     * @param port 0 for any free one
     * @param announcedHost under which others reach it
     * @param neighbours closed with the server
     * @param loops closed by the caller, after the server
     * @throws IOException naming what cannot be used; nothing is left open then
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

    /** Returns 0 while the store is being opened again; the next report is right. */
    private static long storedBytes(Revival core) {
        return core.status().getGaugesOrDefault("space.stored.bytes", 0);
    }

    /** Why the server does not serve as it should; empty while it does. */
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

    /** Stops the readers without interrupts, which would close the files under them. */
    private static void stop(ThreadPoolExecutor readers) throws InterruptedException {
        readers.shutdown();
        if (!readers.awaitTermination(READ_STOP_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("reads are still at work {} s after the stop", READ_STOP_SECONDS);
        }
    }

    /** The announced address. */
    public ServerAddress address() {
        return address;
    }

    /** The address of {@code /metrics} and {@code /health}; empty if they are off. */
    public Optional<ServerAddress> metricsAddress() {
        return metrics.address();
    }

    /**
     * Stops in order: answers the requests in progress, makes every datafile durable, closes files and store, and leaves the file system.
     * Closing twice is harmless.
     */
    @Override
    public void close() {
        opened.close();
    }
}
