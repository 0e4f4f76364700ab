package io.steadfs.ioserver.duty;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ConfirmDatafilesReply;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms or removes datafiles that were made by first writes. If a writer ends between its first write and the
 * attach, no metafile lists the datafile. So this duty asks the metafile's shard about each new datafile until the
 * answer is final:
 *
 * <ul>
 *   <li>ATTACHED: the metafile lists the datafile, so the datafile is confirmed.
 *   <li>NEVER: the metafile will never list the datafile, so the datafile is removed.
 *   <li>PENDING: the metafile may list the datafile later, so the duty asks again.
 * </ul>
 *
 * <p>The removal is safe for three reasons. The shard answers NEVER only if it would refuse an attach for ever. Handles
 * are never reused. The lane removes a datafile only while the datafile is still unconfirmed. Asking too early or twice
 * is harmless.
 *
 * <p>A round goes through all unconfirmed datafiles in pages of {@value #PAGE}, one page at a time. One round runs at a
 * time, on the given executor.
 */
public final class ConfirmDatafiles implements Duty {
    public static final ConfigKey<Long> AFTER = ConfigKey.number(
            "stead.io.confirm.after",
            60_000,
            0,
            86_400_000,
            "milliseconds",
            "Age at which an IO server asks whether a new datafile was attached to its file.");

    public static final ConfigKey<Long> INTERVAL = ConfigKey.number(
            "stead.io.confirm.interval",
            15_000,
            50,
            3_600_000,
            "milliseconds",
            "Pause between two rounds of asking about new datafiles.");

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmDatafiles.class);
    private static final int PAGE = 1000;
    private static final long TIMEOUT_MILLIS = 30_000;

    private final Store store;
    private final Lanes lanes;
    private final Transport transport;
    private final Supplier<Optional<ClusterMap>> cluster;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor executor;
    private final Counters counters;
    private final long afterMillis;
    private final long intervalMillis;
    private volatile boolean closed;

    /** @param executor runs the rounds; its threads may wait for the store */
    public ConfirmDatafiles(
            Store store,
            Lanes lanes,
            Transport transport,
            Supplier<Optional<ClusterMap>> cluster,
            Clock clock,
            Scheduler scheduler,
            Executor executor,
            Counters counters,
            long afterMillis,
            long intervalMillis) {
        this.store = store;
        this.lanes = lanes;
        this.transport = transport;
        this.cluster = cluster;
        this.clock = clock;
        this.scheduler = scheduler;
        this.executor = executor;
        this.counters = counters;
        this.afterMillis = afterMillis;
        this.intervalMillis = intervalMillis;
    }

    @Override
    public void start() {
        later(intervalMillis, Handle.NONE);
    }

    private void later(long delayMillis, Handle after) {
        scheduler.after(delayMillis, () -> hand(after));
    }

    private void hand(Handle after) {
        if (closed) {
            return;
        }
        try {
            executor.execute(() -> page(after));
        } catch (RejectedExecutionException e) {
            later(intervalMillis, after);
        }
    }

    /**
     * Asks about one page of datafiles, and then continues with the next page.
     *
     * @param after the handle behind which the page begins
     */
    private void page(Handle after) {
        if (closed) {
            return;
        }
        try {
            UnconfirmedDatafiles.Page page = UnconfirmedDatafiles.page(store.committed(), after, PAGE, this::isDue);
            if (page.unreadable() > 0) {
                counters.add("confirm.unreadable", page.unreadable());
                LOG.warn("{} rows of new datafiles after {} cannot be read and are left", page.unreadable(), after);
            }
            Map<Integer, List<Asked>> byShard = new TreeMap<>();
            for (Handle handle : page.due()) {
                Optional<DatafileRow> row = findReadable(handle);
                if (row.isPresent() && row.get().metafile().isOwnedByShard()) {
                    byShard.computeIfAbsent(row.get().metafile().shard(), unused -> new ArrayList<>())
                            .add(new Asked(handle, row.get()));
                }
            }
            AtomicInteger open = new AtomicInteger(byShard.size() + 1);
            Runnable answered = () -> {
                if (open.decrementAndGet() == 0) {
                    later(
                            page.last().isPresent() ? 0 : intervalMillis,
                            page.last().orElse(Handle.NONE));
                }
            };
            byShard.forEach((shard, asked) -> ask(shard, asked, answered));
            answered.run();
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.warn("a round of confirming datafiles ends early", e);
                later(intervalMillis, Handle.NONE);
            }
        }
    }

    /**
     * Whether the datafile is old enough to ask about. A datafile whose time is in the future is due too. In this case
     * the clock was set back after the datafile was made, so the datafile's age is unknown. Such a datafile must not
     * wait until the clock reaches its time again. This method reads the clock after the row was read. So a datafile
     * that is made during the scan of a page never seems to come from the future.
     *
     * @param madeMillis wall clock time of the first write, in milliseconds since 1970
     */
    private boolean isDue(long madeMillis) {
        long nowMillis = clock.wallMillis();
        return madeMillis <= nowMillis - afterMillis || madeMillis > nowMillis;
    }

    /**
     * Reads a row; empty if the row cannot be read. A datafile whose row cannot be read stays, is met again in the next
     * round, and does not hold up other datafiles.
     */
    private Optional<DatafileRow> findReadable(Handle datafile) {
        try {
            return DatafileRows.find(store.committed(), datafile);
        } catch (UnreadableDatafileException e) {
            counters.count("confirm.unreadable");
            LOG.warn("nobody is asked about a new datafile: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private record Asked(Handle datafile, DatafileRow row) {}

    private void ask(int shard, List<Asked> asked, Runnable answered) {
        Optional<ServerAddress> server = cluster.get().flatMap(map -> ShardAddresses.find(map, shard));
        if (server.isEmpty()) {
            LOG.info("{} new datafiles wait: shard {} is on no server", asked.size(), shard);
            answered.run();
            return;
        }
        ConfirmDatafilesRequest.Builder body = ConfirmDatafilesRequest.newBuilder();
        for (Asked each : asked) {
            body.addDatafiles(ConfirmDatafilesRequest.Datafile.newBuilder()
                    .setDatafile(each.datafile().value())
                    .setMetafile(each.row().metafile().value())
                    .setIndex(each.row().index())
                    .setWriteGeneration(each.row().madeGeneration()));
        }
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.CONFIRM_DATAFILES.number())
                .setStep("confirm")
                .setShard(shard + 1)
                .setEpoch(cluster.get().map(ClusterMap::getEpoch).orElse(0L))
                .build();
        Request request = new Request(Kind.CONFIRM_DATAFILES, header, body.build(), Payload.EMPTY);
        var unused = transport.send(server.get(), request, TIMEOUT_MILLIS).thenAccept(reply -> {
            take(asked, reply);
            answered.run();
        });
    }

    private void take(List<Asked> asked, Reply reply) {
        reply.payload().release();
        if (!reply.isOk() || !(reply.body() instanceof ConfirmDatafilesReply verdicts)) {
            LOG.info(
                    "{} new datafiles wait: {} {}",
                    asked.size(),
                    reply.error(),
                    reply.header().getMessage());
            return;
        }
        if (verdicts.getVerdictsCount() != asked.size()) {
            LOG.warn("asked about {} datafiles, got {} verdicts", asked.size(), verdicts.getVerdictsCount());
            return;
        }
        for (int i = 0; i < asked.size(); i++) {
            Handle datafile = asked.get(i).datafile();
            switch (verdicts.getVerdicts(i)) {
                case ATTACHED -> lanes.of(datafile).submit(new Settle(datafile, false));
                case NEVER -> lanes.of(datafile).submit(new Settle(datafile, true));
                default -> counters.count("confirm.pending");
            }
        }
    }

    /**
     * Carries out the shard's verdict on the datafile's lane. If the lane refuses the task, the next round asks again.
     */
    private final class Settle implements LaneTask {
        private final Handle datafile;
        private final boolean never;

        Settle(Handle datafile, boolean never) {
            this.datafile = datafile;
            this.never = never;
        }

        @Override
        public void run(Batch batch) throws IOException {
            if (!DatafileRows.isUnconfirmed(batch.rows(), datafile)) {
                return;
            }
            if (never) {
                Optional<OpenDatafile> open = batch.openToRemove(datafile);
                if (open.isPresent()) {
                    batch.remove(open.get(), whenRemoved(open.get()));
                }
            } else {
                batch.confirm(datafile);
                counters.count("confirm.attached");
            }
        }

        private Waiter whenRemoved(OpenDatafile removed) {
            return Waiter.of(
                    () -> {
                        counters.count("confirm.never");
                        LOG.info(
                                "datafile {} removed: metafile {} will never list it",
                                datafile,
                                removed.row().metafile());
                    },
                    this::refuse);
        }

        @Override
        public void refuse(FsError error, String message) {
            LOG.debug("verdict on datafile {} waits: {} {}", datafile, error, message);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
