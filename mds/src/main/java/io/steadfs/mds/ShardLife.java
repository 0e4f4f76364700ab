package io.steadfs.mds;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.disk.DiskFailure;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.UnlessDiskFull;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.ShardWriter;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.mds.pipeline.WriterPacing;
import io.steadfs.mds.state.DiskFormat;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.outage.StartStep;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.server.Life;
import io.steadfs.server.OpenedParts;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.mark.StoreMarks;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.StatusReply;
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
 * One life of a shard, from the opening of its store to the closing. A life has a store, a {@link ShardService} and a
 * writer.
 */
final class ShardLife implements Life {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLife.class);

    static final ConfigKey<Long> ROW_BYTES = ConfigKey.number(
            "stead.mds.rows.bytes",
            16L << 20,
            0,
            1L << 40,
            "bytes",
            "Heap of one shard for rows that were read lately; 0 reads each from its store.");

    /**
     * How long the writer may use no processor time while the shard is not ready, in milliseconds. A longer pause makes
     * the start of the shard fail.
     */
    private static final long STILL_MILLIS = 60_000;

    /** How long a stop takes to make claims durable, in milliseconds. */
    private static final long SETTLE_MILLIS = 5_000;

    private final OpenedParts opened = new OpenedParts();
    private final String name;
    private final RocksStore store;
    private final ShardService service;

    /**
     * Opens the store. The shard is ready when the constructor returns.
     *
     * @param scheduler runs the duties; the caller closes it after this life
     * @throws IOException if something cannot be used, which the message names; nothing is left open then
     */
    ShardLife(int number, HostedShard.Surroundings around, Scheduler scheduler, StoreMarks marks) throws IOException {
        this.name = "shard " + number;
        String server = "metadata server " + around.serverId();
        Settings settings = around.settings();
        try {
            store = opened.keep(RocksStore.openShard(
                    around.stores().of(number), ShardTables.ALL, settings, settings.get(ROW_BYTES)));
            DiskFormat.STEPS.open(store, () -> marks.check(store));
            opened.keep(marks.open(store, store::syncs, scheduler));
            HandleReserve handles = around.neighbours().reserve(number);
            service = new ShardService(
                    settings,
                    new ShardService.Dependencies(
                            around.serverId(),
                            number,
                            around.superuser(),
                            store,
                            around.clock(),
                            scheduler,
                            around.transport(),
                            around.longReads(),
                            around.neighbours()::map,
                            around.neighbours()::confirmShards,
                            handles,
                            () -> around.space().problem(server),
                            StartTokens.of(around.neighbours().welcome().secret()),
                            () -> Map.of("log.fsyncs", store.syncs() - marks.made(), "store.marks", marks.made())));
            ShardWriter writer = opened.keep(new ShardWriter(
                    service.core(),
                    ShardLimits.from(settings),
                    WriterPacing.from(settings),
                    "mds-" + around.serverId() + "-shard-" + number + "-writer"));
            writer.start();
            opened.keep(service::stop);
            awaitReady(server, service.start(), writer);
            opened.keep(this::settleClaims);
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** Makes the claims of untouched files durable, if the shard still works. Otherwise clients claim them again. */
    private void settleClaims() {
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);
            boolean more = true;
            while (more) {
                more = service.settleClaims().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("{} stops without knowing which empty files are open: {}", name, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady(String server, CompletableFuture<Boolean> ready, ShardWriter writer) throws IOException {
        try {
            StartStep step =
                    StartStep.of(name + " of " + server + " waits for its first commit to " + store, LOG::info);
            if (!step.await(STILL_MILLIS, ready, writer::cpuNanos)) {
                throw new IOException(name + " is not ready: its first commit to " + store
                        + " does not end, and its writer did nothing for " + STILL_MILLIS + " ms");
            }
            if (ready.get()) {
                LOG.info("{} made the root directory", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + " started", e);
        } catch (ExecutionException e) {
            throw new IOException(name + " cannot start: " + e.getCause(), e.getCause());
        }
    }

    /** As {@link ShardService#learnShards}. */
    CompletableFuture<Integer> learnShards() {
        return service.learnShards();
    }

    /** As {@link ShardService#learnFences}. */
    CompletableFuture<Boolean> learnFences() {
        return service.learnFences();
    }

    /**
     * Makes a copy of the store's present state in a directory that does not exist yet, as {@link RocksStore#checkpoint}
     * does.
     */
    void checkpoint(Path target) throws IOException {
        try {
            store.checkpoint(target);
        } catch (StoreClosedException e) {
            throw new IOException(name + " is being closed", e);
        }
    }

    @Override
    public RequestHandler door() {
        return this::handle;
    }

    /**
     * Takes a request. If a full disk ended this life, a request that would store something is refused at once with the
     * reason. A repeated try is not refused, because the disk may have kept an earlier try of the same request. Only
     * the next life of the shard can tell whether the disk kept the earlier try.
     */
    private void handle(RequestHandler.Call call) {
        Request request = call.request();
        if (service.core().storeFailure().filter(DiskFailure::isNoSpace).isPresent()
                && UnlessDiskFull.GROWING.contains(request.kind())
                && !request.header().getRepeatedTry()) {
            request.payload().release();
            call.reply(Reply.refused(
                    request.kind(),
                    FsError.NO_SPACE,
                    name + " waits for space: " + service.core().stopped().orElse("")));
            return;
        }
        service.door().handle(call);
    }

    @Override
    public Optional<StatusReply> account() {
        try {
            return Optional.of(service.status());
        } catch (StoreClosedException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<End> end() {
        return service.core()
                .stopped()
                .map(why -> new End(why, service.core().storeFailure().isPresent()));
    }

    @Override
    public void report(StatusReply.Builder status) {
        status.putAllGauges(store.gauges());
    }

    /** Ends the duties and the current batch, and closes the store. */
    @Override
    public void close() {
        opened.close();
    }
}
