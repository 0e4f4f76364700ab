package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.mds.call.LongReads;
import io.steadfs.mds.call.TrustingAuthenticator;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.ShardWriter;
import io.steadfs.mds.state.DiskFormat;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyServer;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.server.OpenedParts;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A metadata server as a process runs it: one directory, one port, one shard with its writer and its duties.
 *
 * <pre>
 *  directory/
 *    shard-0/   RocksDB, tables in {@link ShardTables}
 * </pre>
 *
 * Its heap does not grow with the files of the file system: what it knows of them is in the store, whose memory is
 * bounded by configuration.
 */
public final class MdsServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MdsServer.class);
    private static final int SHARD = 0;
    private static final long START_SECONDS = 60;

    private final OpenedParts opened = new OpenedParts();

    private final ShardService shard;
    private final ServerAddress address;

    /**
     * Starts serving; is announced on return.
     *
     * @param serverId of this server, from 1
     * @param directory held by the caller's lock
     * @param host to listen on
     * @param port 0 for any free one
     * @param announcedHost under which others reach it
     * @param neighbours closed with the server
     * @param loops stays the caller's, until after the server is closed
     * @throws IOException naming what cannot be used; nothing is left open then
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
            MessageCounters messages = new MessageCounters();
            NettyOptions network = NettyOptions.from(settings);

            HandleReserve handles = neighbours.host(SHARD);
            RocksStore store =
                    opened.keep(RocksStore.open(directory.resolve("shard-" + SHARD), ShardTables.ALL, settings));
            DiskFormat.check(store.committed(), store.toString());
            LongReads longReads = opened.keep(LongReads.from(settings));
            NettyTransport transport = opened.keep(new NettyTransport(loops, network, messages, clock));
            ThreadScheduler scheduler = opened.keep(new ThreadScheduler("mds-duties-" + serverId));
            shard = new ShardService(
                    settings,
                    new ShardService.Ground(
                            serverId,
                            SHARD,
                            superuser(settings, neighbours),
                            store,
                            clock,
                            scheduler,
                            transport,
                            longReads,
                            neighbours::map,
                            handles,
                            () -> counters(messages, store)));
            ShardWriter writer = opened.keep(new ShardWriter(
                    shard.core(),
                    ShardLimits.from(settings),
                    settings.get(ShardWriter.AGGREGATION_WINDOW),
                    "shard-" + SHARD + "-writer"));
            writer.start();
            opened.keep(shard::stop);
            awaitReady(shard.start());
            NettyServer server =
                    opened.keep(NettyServer.listen(loops, host, port, network, shard.door(), messages, clock));
            address = new ServerAddress(announcedHost, server.address().port());
            neighbours.announce(address);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static String superuser(Settings settings, Neighbours neighbours) {
        String configured = settings.get(TrustingAuthenticator.SUPERUSER);
        return configured.isEmpty() ? neighbours.superuser() : configured;
    }

    private static Map<String, Long> counters(MessageCounters messages, RocksStore store) {
        Map<String, Long> counters = messages.snapshot();
        counters.put("log.fsyncs", store.syncs());
        return counters;
    }

    private static void awaitReady(CompletableFuture<Boolean> ready) throws IOException {
        try {
            if (ready.get(START_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("made the root directory");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while shard " + SHARD + " started", e);
        } catch (ExecutionException e) {
            throw new IOException("shard " + SHARD + " cannot start: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("shard " + SHARD + " is not ready after " + START_SECONDS + " s", e);
        }
    }

    /** As announced. */
    public ServerAddress address() {
        return address;
    }

    /** Why the shard stopped by itself, if it did: it then serves nothing until the server is started anew. */
    public Optional<String> stopped() {
        return shard.core().stopped();
    }

    /**
     * Stops in order: answers what is at work, ends the duties and the batch under way, closes the store, leaves the
     * file system. Closing twice is harmless.
     */
    @Override
    public void close() {
        opened.close();
    }
}
