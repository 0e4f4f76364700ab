package io.steadfs.ioserver.duty;

import io.steadfs.cluster.ConfirmedShards;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.ConfigKey;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.ioserver.lease.Validation;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.FenceHandlesReply;
import io.steadfs.wire.proto.FenceHandlesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends leases that are over, and takes back their datafiles that no file has. The holder of a lease need not send any
 * message. The holder may still be alive, and may be about to put one of the handles into a file. A request of the
 * holder to do so may even be on its way. Several leases go through these steps together:
 *
 * <ol>
 *   <li>The leases become durably REVOKING. After step 1, a first write may take a handle of the leases only if the
 *       metafile's shard confirms the handle.
 *   <li>Each shard durably fences the ranges of the leases ({@code FENCE_HANDLES}). After the fence, a shard lists no
 *       handle of the ranges that it did not list before. The answer of the shard names the handles that it lists.
 *   <li>The listed handles now belong to the metafiles that the answer names. Step 3 needs no answer of any other
 *       shard.
 *   <li>After all shards have answered and step 3 is durable, the shards are counted once more ({@link ConfirmedShards}).
 *       If a shard has joined meanwhile, it is asked too.
 *   <li>The datafiles that belong to no metafile are removed. A handle without a datafile never gets a datafile any more.
 *   <li>After step 5 is durable, the leases have ended.
 * </ol>
 *
 * <b>Invariant</b>: this duty never removes a datafile that a metafile of any shard lists or will list. A datafile that
 * was listed before the shard's fence is in the shard's answer, or its file has been removed. After the fence, the
 * shard lists no further datafile of the leases. A shard that joins after step 4 learns the fences of the other shards
 * before it lists any datafile, and the fences of step 2 are among them. So step 4 must come after step 2, and it must not
 * rely on the server's cluster map: a server that has lost ZooKeeper may have an old one. Each step relies on the steps before it. Only the first and the last
 * step are recorded, so a crash between two steps lets the leases begin anew. A shard that does not answer delays the
 * removal, but never permits it.
 *
 * <p>A lease has nothing to take back if each of its datafiles belongs to a metafile or was removed. Such a lease needs
 * only the last step, because the rows that show the use of its handles are committed already.
 *
 * <p>A datafile whose first write came before step 1 stays, because the datafile is unconfirmed: {@link
 * ConfirmDatafiles} asks about it.
 *
 * <p>One group of leases is in progress at a time. The state of the group belongs to the scheduler's thread.
 */
public final class ReclaimLeases implements Validation, Duty {
    public static final ConfigKey<Long> INTERVAL = ConfigKey.number(
            "stead.io.lease.check.interval",
            1_000,
            10,
            3_600_000,
            "milliseconds",
            "Pause between two looks for leases that are over.");

    private static final Logger LOG = LoggerFactory.getLogger(ReclaimLeases.class);
    private static final int MOST_LEASES = 256;
    private static final long MOST_HANDLES = 1 << 16;
    private static final long TIMEOUT_MILLIS = 30_000;
    private static final long PUT_OFF_MILLIS = 600_000;

    /** Stands for all shards among the reasons why a group waits. */
    private static final int NO_SHARD = -1;

    private final Leases leases;
    private final Lanes lanes;
    private final Transport transport;
    private final Supplier<Optional<ClusterMap>> cluster;
    private final ConfirmedShards shards;
    private final Scheduler scheduler;
    private final Counters counters;
    private final long intervalMillis;
    private volatile boolean closed;

    private Optional<Group> group = Optional.empty();
    private boolean endingSettled;

    /**
     * The reasons why leases wait for a row to become readable, by the last handle of the lease. May be read from any
     * thread.
     */
    private final Map<Handle, String> putOff = new ConcurrentSkipListMap<>();

    /** The reasons why the present group waits, by shard. May be read from any thread. */
    private final Map<Integer, String> waitsFor = new ConcurrentSkipListMap<>();

    /** @param scheduler runs the duty; its single thread owns the duty's state */
    public ReclaimLeases(
            Leases leases,
            Lanes lanes,
            Transport transport,
            Supplier<Optional<ClusterMap>> cluster,
            ConfirmedShards shards,
            Scheduler scheduler,
            Counters counters,
            long intervalMillis) {
        this.leases = leases;
        this.lanes = lanes;
        this.transport = transport;
        this.cluster = cluster;
        this.shards = shards;
        this.scheduler = scheduler;
        this.counters = counters;
        this.intervalMillis = intervalMillis;
    }

    @Override
    public void start() {
        scheduler.after(intervalMillis, this::round);
    }

    @Override
    public void begin() {
        scheduler.after(0, () -> {
            if (!closed) {
                look();
            }
        });
    }

    @Override
    public List<String> waitsFor() {
        List<String> reasons = new ArrayList<>(waitsFor.values());
        reasons.addAll(putOff.values());
        return reasons;
    }

    private void round() {
        if (closed) {
            return;
        }
        look();
        scheduler.after(intervalMillis, this::round);
    }

    private void look() {
        try {
            endSettled();
            if (group.isEmpty()) {
                next();
            } else {
                group.get().goOn();
            }
        } catch (RuntimeException e) {
            LOG.error("ending leases broke; it begins anew in a later round", e);
            group = Optional.empty();
        }
    }

    /** Ends leases that are settled. Settled leases need no answer of a shard, so they wait for no shard. */
    private void endSettled() {
        List<LeaseRow> settled = endingSettled ? List.of() : leases.settled(MOST_LEASES);
        if (settled.isEmpty()) {
            return;
        }
        endingSettled = true;
        new LeaseTasks(lanes, leases)
                .end(
                        settled,
                        done -> scheduler.after(0, () -> {
                            endingSettled = false;
                            if (done && !closed) {
                                counters.add("leases.ended", settled.size());
                                endSettled();
                            }
                        }));
    }

    private void next() {
        group = Optional.empty();
        waitsFor.clear();
        List<LeaseRow> over = leases.over(MOST_LEASES, MOST_HANDLES, putOff.keySet());
        if (!over.isEmpty()) {
            group = Optional.of(new Group(over));
            group.get().goOn();
        }
    }

    /**
     * Postpones leases if the store cannot say whether a datafile that a file lists was made. The other leases go on.
     */
    private void putOff(List<LeaseRow> ending, Set<Handle> unread) {
        for (LeaseRow lease : ending) {
            unread.stream().filter(lease.range()::holds).findFirst().ifPresent(datafile -> {
                Handle last = lease.range().last();
                putOff.put(
                        last,
                        "lease " + lease.range() + ": the store cannot say whether datafile " + datafile
                                + ", which a file lists, was made");
                scheduler.after(PUT_OFF_MILLIS, () -> putOff.remove(last));
                LOG.warn("{}; it is looked at again in {} ms", putOff.get(last), PUT_OFF_MILLIS);
            });
        }
    }

    /** Runs a step on the scheduler's thread. Does nothing if another group is in progress by then. */
    private void hand(Group of, Runnable step) {
        scheduler.after(0, () -> {
            if (closed || group.filter(now -> now == of).isEmpty()) {
                return;
            }
            try {
                step.run();
            } catch (RuntimeException e) {
                LOG.error("a step of ending leases broke; it begins anew", e);
                group = Optional.empty();
            }
        });
    }

    /** Leases that end together. A step that failed is repeated in a later round. Repeating a step is harmless. */
    private final class Group {
        private List<LeaseRow> ending;
        private final Set<Integer> settled = new HashSet<>();
        private final Set<Integer> asked = new HashSet<>();
        private final Set<Handle> used = new HashSet<>();
        private boolean revoked;
        private boolean atLanes;
        private boolean isCounting;
        /** The number of shards when they were last counted; 0 = they were not counted. */
        private int counted;

        Group(List<LeaseRow> over) {
            ending = over;
        }

        void goOn() {
            if (atLanes) {
                return;
            }
            if (!revoked) {
                revoke();
            } else {
                fence();
            }
        }

        private void revoke() {
            atLanes = true;
            LeaseTasks tasks = new LeaseTasks(lanes, leases);
            tasks.revoke(
                    ending,
                    done -> hand(this, () -> {
                        atLanes = false;
                        ending = tasks.revoked();
                        revoked = done && !ending.isEmpty();
                        if (revoked) {
                            fence();
                        } else if (ending.isEmpty()) {
                            group = Optional.empty();
                        }
                    }));
        }

        private void fence() {
            Optional<ClusterMap> map = cluster.get();
            if (map.isEmpty() || !ShardCounts.areKnown(map.get())) {
                return;
            }
            int all = Math.max(ShardCounts.of(map.get()).all(), counted);
            for (int shard = 0; shard < all; shard++) {
                if (!settled.contains(shard) && asked.add(shard)) {
                    ask(shard, map.get());
                }
            }
            countIfAllAnswered();
        }

        private void ask(int shard, ClusterMap map) {
            Optional<ServerAddress> server = ShardAddresses.find(map, shard);
            if (server.isEmpty()) {
                asked.remove(shard);
                waitsFor.put(shard, "shard " + shard + " is on no server");
                LOG.info("{} leases that are over wait: shard {} is on no server", ending.size(), shard);
                return;
            }
            FenceHandlesRequest.Builder body = FenceHandlesRequest.newBuilder();
            for (LeaseRow lease : ending) {
                body.addRanges(FenceHandlesRequest.Range.newBuilder()
                        .setFirst(lease.range().first().value())
                        .setLast(lease.range().last().value()));
            }
            RequestHeader header = RequestHeader.newBuilder()
                    .setKind(Kind.FENCE_HANDLES.number())
                    .setStep("fence handles")
                    .setShard(shard + 1)
                    .setEpoch(map.getEpoch())
                    .build();
            var unused = transport
                    .send(
                            server.get(),
                            new Request(Kind.FENCE_HANDLES, header, body.build(), Payload.EMPTY),
                            TIMEOUT_MILLIS)
                    .thenAccept(reply -> {
                        reply.payload().release();
                        hand(this, () -> take(shard, reply));
                    });
        }

        private void take(int shard, Reply reply) {
            if (!reply.isOk() || !(reply.body() instanceof FenceHandlesReply fenced)) {
                waitsFor.put(
                        shard,
                        "shard " + shard + " answers " + reply.error() + ": "
                                + reply.header().getMessage());
                LOG.info(
                        "{} leases that are over wait for shard {}: {} {}",
                        ending.size(),
                        shard,
                        reply.error(),
                        reply.header().getMessage());
                asked.remove(shard);
                return;
            }
            List<FenceHandlesReply.Used> mine = new ArrayList<>();
            for (FenceHandlesReply.Used each : fenced.getUsedList()) {
                Handle datafile = new Handle(each.getDatafile());
                Handle metafile = new Handle(each.getMetafile());
                if (!metafile.isOwnedByShard() || metafile.shard() != shard || !isEnding(datafile)) {
                    LOG.error(
                            "shard {} answers that metafile {} lists datafile {}, which it was not asked about: not"
                                    + " believed, and asked again",
                            shard,
                            metafile,
                            datafile);
                    waitsFor.put(
                            shard,
                            "shard " + shard + " answers that metafile " + metafile + " lists datafile " + datafile
                                    + ", which it was not asked about");
                    asked.remove(shard);
                    return;
                }
                mine.add(each);
            }
            mine.forEach(each -> used.add(new Handle(each.getDatafile())));
            UsedHandles settling = new UsedHandles(lanes, leases, counters);
            settling.settle(
                    mine,
                    done -> hand(this, () -> {
                        asked.remove(shard);
                        if (!settling.unread().isEmpty()) {
                            putOff(ending, settling.unread());
                            next();
                        } else if (done) {
                            settled.add(shard);
                            waitsFor.remove(shard);
                            countIfAllAnswered();
                        }
                    }));
        }

        private boolean isEnding(Handle datafile) {
            return ending.stream().anyMatch(lease -> lease.range().holds(datafile));
        }

        /** Counts the shards after all shards that the server knows have answered. */
        private void countIfAllAnswered() {
            Optional<ClusterMap> map = cluster.get().filter(ShardCounts::areKnown);
            if (map.isEmpty() || settled.size() < ShardCounts.of(map.get()).all() || atLanes || isCounting) {
                return;
            }
            isCounting = true;
            var unused = shards.count()
                    .whenComplete((all, failure) -> hand(this, () -> {
                        isCounting = false;
                        if (failure == null) {
                            waitsFor.remove(NO_SHARD);
                            counted = all;
                            reclaimIfAllAnswered();
                        } else {
                            waitsFor.put(NO_SHARD, "the shards cannot be counted: " + failure.getMessage());
                        }
                    }));
        }

        private void reclaimIfAllAnswered() {
            if (settled.size() < counted || atLanes) {
                return;
            }
            atLanes = true;
            leases.reclaim(ending);
            List<HandleRange> ranges = ending.stream().map(LeaseRow::range).toList();
            new UnusedHandles(lanes, counters, Set.copyOf(used))
                    .remove(
                            ranges,
                            done -> hand(this, () -> {
                                if (done) {
                                    end();
                                } else {
                                    atLanes = false;
                                    settled.clear();
                                }
                            }));
        }

        private void end() {
            new LeaseTasks(lanes, leases)
                    .end(
                            ending,
                            done -> hand(this, () -> {
                                atLanes = false;
                                settled.clear();
                                if (done) {
                                    counters.add("leases.ended", ending.size());
                                    next();
                                }
                            }));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
