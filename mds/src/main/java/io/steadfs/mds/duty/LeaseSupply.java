package io.steadfs.mds.duty;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.pool.PoolChanged;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.pool.PoolSize;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RenewLeasesReply;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases precreated datafiles for the creates that are delegated to this shard. The duty leases ahead of need, but only
 * from IO servers whose datafiles were wanted lately. The duty also renews the leases. The duty gives up the leases of
 * a server if no file wanted its datafiles for the duration of a lease.
 *
 * <p>A shard is a holder of leases like a client. When a lease ends, a fence finds out which of its handles are in
 * files. So an IO server need not trust what a holder says about used handles. Each process of the shard is a different
 * holder. An earlier process may have left leases in the pool. The duty does not use such leases, because the present
 * store may be an old copy of a lost store. The lost store may have put the handles of such leases into files already.
 * The duty tells the IO servers that the leases of earlier processes are over.
 *
 * <p>Each IO server has its own supply, so a slow or dead server delays no other.
 */
public final class LeaseSupply implements Duty, CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseSupply.class);
    private static final long INTERVAL_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    /**
     * The assumed duration of a lease in nanoseconds, until a server has said how long its leases last. A lease is kept
     * for one duration while no file wants its handles.
     */
    private static final long FIRST_DURATION_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The part of a lease's duration in which its handles are used. A renewal begins a new duration. */
    private static final double USED_PART = 0.75;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IoServers servers;
    private final Clock clock;
    private final LongSupplier holder;
    private final String name;
    private final PoolSize size;
    private final Commands commands;
    private final Pacer pacer;

    /** The number of handles that new files took from each IO server since the last round. Guarded by the map itself. */
    private final Map<Integer, Long> wanted = new HashMap<>();

    /** Supplies by IO server id. Owned by the scheduler's thread. */
    private final Map<Integer, Supply> supplies = new HashMap<>();

    /** Commands that change the pool. */
    public interface Commands {
        InternalCommand<Boolean> pool(long holder, HandleRange range);

        InternalCommand<Integer> drop(int server, Set<Handle> firsts);
    }

    /**
     * @param holder the holder under which this process takes leases
     * @param name name of the shard, for people
     */
    public LeaseSupply(
            Supplier<ReadView> committed,
            Shard shard,
            IoServers servers,
            Scheduler scheduler,
            Clock clock,
            LongSupplier holder,
            String name,
            PoolSize size,
            Commands commands) {
        this.committed = committed;
        this.shard = shard;
        this.servers = servers;
        this.clock = clock;
        this.holder = holder;
        this.name = name;
        this.size = size;
        this.commands = commands;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    @Override
    public void committed(List<LogRecord> records) {
        boolean some = false;
        for (LogRecord record : records) {
            if (record instanceof PoolChanged changed && changed.wanted() > 0) {
                synchronized (wanted) {
                    wanted.merge(changed.server(), (long) changed.wanted(), Long::sum);
                }
                some = true;
            }
        }
        if (some) {
            pacer.wake();
        }
    }

    private void round() {
        Map<Integer, Long> now;
        synchronized (wanted) {
            now = new HashMap<>(wanted);
            wanted.clear();
        }
        Map<Integer, List<PooledLease>> pools = PooledLeases.all(committed.get());
        Set<Integer> concerned = new TreeSet<>(supplies.keySet());
        concerned.addAll(pools.keySet());
        concerned.addAll(now.keySet());
        for (int server : concerned) {
            Supply supply = supplies.computeIfAbsent(server, Supply::new);
            supply.want(now.getOrDefault(server, 0L));
            supply.look(pools.getOrDefault(server, List.of()));
        }
    }

    /** The leases of one IO server. */
    private final class Supply {
        private final int server;
        private final Backoff backoff = new Backoff(500, LONGEST_PAUSE_MILLIS);

        /**
         * The times until which the handles of each lease are used, by the first handle of the lease. A lease that is
         * not in the map was taken by an earlier process.
         */
        private final Map<Handle, Long> usedUntilNanos = new HashMap<>();

        private final Set<Handle> leaving = new HashSet<>();
        private boolean asking;
        private boolean renewing;
        private int length;
        private long taken;
        private long askedNanos;
        private boolean everWanted;
        private long wantedNanos;
        private long renewedNanos;
        private long notBeforeNanos;
        private long durationNanos = FIRST_DURATION_NANOS;

        Supply(int server) {
            this.server = server;
            this.length = size.least();
            this.askedNanos = clock.monotonicNanos();
            this.wantedNanos = askedNanos;
            this.renewedNanos = askedNanos;
            this.notBeforeNanos = askedNanos;
        }

        void want(long count) {
            if (count > 0) {
                taken += count;
                everWanted = true;
                wantedNanos = clock.monotonicNanos();
            }
        }

        void look(List<PooledLease> leases) {
            long now = clock.monotonicNanos();
            boolean idle = !everWanted || now - wantedNanos > durationNanos;
            Set<Handle> mine = new HashSet<>();
            long atHand = 0;
            for (PooledLease lease : leases) {
                Long until = usedUntilNanos.get(lease.first());
                if (lease.holder() != holder.getAsLong() || until == null || until - now <= 0 || idle) {
                    leave(lease);
                } else {
                    mine.add(lease.first());
                    atHand += lease.count();
                }
            }
            usedUntilNanos.keySet().removeIf(first -> !mine.contains(first) && !asking);
            if (!mine.isEmpty() && !renewing && now - renewedNanos > durationNanos / 3) {
                renew(mine);
            }
            if (!idle && !asking && atHand < Math.max(1, size.low(length)) && now - notBeforeNanos >= 0) {
                ask(now);
            }
        }

        /** Gives up a lease. The shard stops using the lease for files before the duty tells the IO server. */
        private void leave(PooledLease lease) {
            if (!leaving.add(lease.first())) {
                return;
            }
            InternalCommand<Integer> drop = commands.drop(server, Set.of(lease.first()));
            pacer.when(
                    drop.outcome(),
                    (count, failure) -> {
                        leaving.remove(lease.first());
                        if (failure == null) {
                            end(lease);
                        }
                    },
                    this::broke);
            shard.submit(drop);
        }

        /**
         * Tells the server once that the lease is over. If the message is lost, the lease still ends, because it is no
         * longer renewed.
         */
        private void end(PooledLease lease) {
            EndLeasesRequest request = EndLeasesRequest.newBuilder()
                    .setHolder(lease.holder())
                    .setLease(lease.first().value())
                    .build();
            var unused = servers.send(server, Kind.END_LEASES, "end leases", request)
                    .thenAccept(reply -> reply.payload().release());
        }

        private void renew(Set<Handle> leases) {
            renewing = true;
            long since = clock.monotonicNanos();
            RenewLeasesRequest.Builder request = RenewLeasesRequest.newBuilder().setHolder(holder.getAsLong());
            leases.forEach(first -> request.addLeases(first.value()));
            pacer.when(
                    servers.send(server, Kind.RENEW_LEASES, "renew leases", request.build()),
                    (reply, impossible) -> {
                        renewing = false;
                        reply.payload().release();
                        if (reply.isOk() && reply.body() instanceof RenewLeasesReply renewed) {
                            renewedNanos = since;
                            durationNanos = TimeUnit.MILLISECONDS.toNanos(renewed.getDurationMillis());
                            Set<Handle> kept = new HashSet<>();
                            renewed.getLeasesList().forEach(first -> kept.add(new Handle(first)));
                            leases.forEach(first -> usedUntilNanos.put(
                                    first, kept.contains(first) ? since + (long) (durationNanos * USED_PART) : since));
                        }
                    },
                    this::broke);
        }

        private void ask(long now) {
            asking = true;
            length = size.next(taken, now - askedNanos);
            taken = 0;
            askedNanos = now;
            long as = holder.getAsLong();
            LeaseHandlesRequest request = LeaseHandlesRequest.newBuilder()
                    .setHolder(as)
                    .setName(name)
                    .setCount(length)
                    .build();
            pacer.when(
                    servers.send(server, Kind.LEASE_HANDLES, "lease handles", request),
                    (reply, impossible) -> answered(as, now, reply),
                    this::broke);
        }

        private void answered(long as, long since, Reply reply) {
            reply.payload().release();
            if (!reply.isOk() || !(reply.body() instanceof LeaseHandlesReply granted)) {
                failed(reply.error() + ", " + reply.header().getMessage());
                return;
            }
            Handle first = new Handle(granted.getFirst());
            HandleRange range;
            try {
                range = HandleRange.of(first, granted.getCount());
            } catch (IllegalArgumentException e) {
                failed(FsError.FAULT + ", " + e.getMessage());
                return;
            }
            if (first.owner() != server || granted.getCount() < 1) {
                failed(FsError.FAULT + ", it leased " + granted.getCount() + " handles from " + first);
                return;
            }
            backoff.succeeded();
            durationNanos = TimeUnit.MILLISECONDS.toNanos(granted.getDurationMillis());
            usedUntilNanos.put(first, since + (long) (durationNanos * USED_PART));
            InternalCommand<Boolean> pool = commands.pool(as, range);
            pacer.when(
                    pool.outcome(),
                    (taken, failure) -> {
                        asking = false;
                        if (failure != null || !taken) {
                            end(PooledLease.of(as, range));
                        }
                    },
                    this::broke);
            shard.submit(pool);
        }

        private void failed(String why) {
            asking = false;
            long pauseMillis = backoff.failed();
            notBeforeNanos = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            LOG.info("IO server {} leased no handles, asked again in {} ms: {}", server, pauseMillis, why);
        }

        private void broke(Throwable cause) {
            asking = false;
            renewing = false;
            leaving.clear();
            LOG.error("leasing handles of IO server {} broke", server, cause);
        }
    }
}
