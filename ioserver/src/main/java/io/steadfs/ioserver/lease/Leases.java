package io.steadfs.ioserver.lease;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.HandlesOnly;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * All leases of the server that have not ended, as in the table, with one index by holder and one by deadline.
 *
 * <p>A deadline is of the monotonic clock: setting the wall clock ends no lease and keeps none alive. Only at a start is the deadline made
 * from the expiry in the row, and then it is at most one duration away.
 *
 * <p>This class also counts the handles of a lease that no file is known to have. If rows say of all handles that files have them, the
 * lease is settled, and over: each of its datafiles belongs to a metafile, or is gone.
 *
 * <p>The row of a lease is changed on the lane of its holder alone. This index is changed there too, in the batch that changes the row or after
 * it. But the lanes of datafiles {@link #settle} handles, the scheduler's thread calls {@link #reclaim}, and the thread that takes an
 * acknowledgement calls {@link #know}. Any thread may read. So the index is synchronized.
 */
public final class Leases implements HandlesOnly {
    private final Clock clock;
    private final long durationMillis;
    private final TreeMap<Handle, Entry> byLast = new TreeMap<>();
    private final Map<Long, TreeSet<Handle>> lastByHolder = new HashMap<>();
    private final TreeSet<Deadline> deadlines = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    /** Last handles of leases that are settled and not REVOKING. */
    private final TreeSet<Handle> settled = new TreeSet<>();

    private final Map<Long, Long> unusedByHolder = new HashMap<>();
    private long unused;
    private int revoking;

    private record Entry(LeaseRow row, Deadline deadline, LeaseUse use) {
        int unused() {
            return use.unused();
        }

        int positionOf(Handle handle) {
            return (int) (handle.value() - row.range().first().value());
        }
    }

    /** Last handles of leases whose unused handles are being taken back. */
    private final Set<Handle> reclaiming = new HashSet<>();

    /** Measured from one origin, because a monotonic clock may begin anywhere. */
    private record Deadline(long nanosFromStart, Handle last) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            int first = Long.compare(nanosFromStart, other.nanosFromStart);
            return first != 0 ? first : last.compareTo(other.last);
        }
    }

    private final long startNanos;

    /**
     * Reads the leases of the table.
     *
     * @param durationMillis of a lease that is not renewed
     */
    public Leases(ReadView view, Clock clock, long durationMillis) {
        this.clock = clock;
        this.durationMillis = durationMillis;
        this.startNanos = clock.monotonicNanos();
        for (LeaseRow row : LeaseRows.all(view, problems)) {
            long left = row.expiryMillis() - clock.wallMillis();
            put(
                    row,
                    row.revoking() ? 0 : Math.max(0, Math.min(durationMillis, left)),
                    new LeaseUse((int) row.range().count(), DatafileRows.used(view, row.range(), row.precreated())));
        }
    }

    /** Rows that cannot be decoded, one line each. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    public long durationMillis() {
        return durationMillis;
    }

    /** Adds the lease, all of whose handles are unused. It ends after this time. */
    public synchronized void add(LeaseRow row, long leftMillis) {
        put(row, leftMillis, new LeaseUse((int) row.range().count(), new BitSet()));
    }

    /** Replaces the lease, but keeps the number of its unused handles. It ends after this time. */
    public synchronized void change(LeaseRow row, long leftMillis) {
        Entry known = byLast.get(row.range().last());
        if (known != null) {
            put(row, known.use().isSettled() ? 0 : leftMillis, known.use());
        }
    }

    /**
     * Records that a handle which no file was known to have belongs to a metafile now, or that its datafile is gone. To be called only once
     * that is committed: a settled lease ends, and after a crash it could not tell that the handle was leased.
     */
    public synchronized void settle(Handle handle) {
        entryOf(handle).ifPresent(entry -> {
            if (entry.use().settle(entry.positionOf(handle))) {
                count(entry.row().holder(), -1);
            }
            if (entry.use().isSettled()) {
                put(entry.row(), 0, entry.use());
            }
        });
    }

    /**
     * Records that shards say that files have these handles, if they are leased. They count as used from now on, but only rows settle a
     * lease.
     */
    public synchronized void know(List<Handle> used) {
        for (Handle handle : used) {
            entryOf(handle).ifPresent(entry -> {
                if (entry.use().know(entry.positionOf(handle))) {
                    count(entry.row().holder(), -1);
                }
            });
        }
    }

    private Optional<Entry> entryOf(Handle handle) {
        Map.Entry<Handle, Entry> next = byLast.ceilingEntry(handle);
        return next == null || !next.getValue().row().range().holds(handle)
                ? Optional.empty()
                : Optional.of(next.getValue());
    }

    private void put(LeaseRow row, long leftMillis, LeaseUse use) {
        forget(row);
        Deadline deadline = new Deadline(
                elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(leftMillis),
                row.range().last());
        byLast.put(row.range().last(), new Entry(row, deadline, use));
        deadlines.add(deadline);
        lastByHolder
                .computeIfAbsent(row.holder(), unused -> new TreeSet<>())
                .add(row.range().last());
        if (use.unused() != 0) {
            count(row.holder(), use.unused());
        }
        revoking += row.revoking() ? 1 : 0;
        if (use.isSettled() && !row.revoking()) {
            settled.add(row.range().last());
        }
    }

    private void count(long holder, int change) {
        unused += change;
        unusedByHolder.merge(holder, (long) change, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** Removes a lease that has ended. */
    public synchronized void remove(LeaseRow row) {
        reclaiming.remove(row.range().last());
        forget(row);
    }

    private void forget(LeaseRow row) {
        Entry known = byLast.remove(row.range().last());
        if (known == null) {
            return;
        }
        deadlines.remove(known.deadline());
        settled.remove(row.range().last());
        revoking -= known.row().revoking() ? 1 : 0;
        if (known.unused() != 0) {
            count(row.holder(), -known.unused());
        }
        TreeSet<Handle> others = lastByHolder.get(row.holder());
        if (others != null) {
            others.remove(row.range().last());
            if (others.isEmpty()) {
                lastByHolder.remove(row.holder());
            }
        }
    }

    /**
     * Records that the unused handles of these leases are being taken back: no further handle gets a datafile. Each handle that a file has,
     * has one.
     */
    public synchronized void reclaim(List<LeaseRow> rows) {
        for (LeaseRow row : rows) {
            if (byLast.containsKey(row.range().last())) {
                reclaiming.add(row.range().last());
            }
        }
    }

    /** Whether the handle is leased, and has a datafile only if a row says so. */
    @Override
    public synchronized boolean holds(Handle handle) {
        return holding(handle)
                .filter(row ->
                        !row.precreated() && !reclaiming.contains(row.range().last()))
                .isPresent();
    }

    public synchronized LeaseState stateOf(Handle handle) {
        return holding(handle)
                .map(row -> row.revoking() ? LeaseState.REVOKING : LeaseState.OPEN)
                .orElse(LeaseState.NONE);
    }

    /** The lease that contains the handle. */
    public synchronized Optional<LeaseRow> holding(Handle handle) {
        return entryOf(handle).map(Entry::row);
    }

    /** The accounts of all holders, in no order. */
    public synchronized List<HolderAccount> accounts() {
        List<HolderAccount> accounts = new ArrayList<>();
        long now = elapsedNanos();
        lastByHolder.forEach((holder, lasts) -> {
            long inUse = 0;
            long pooled = 0;
            long suspect = 0;
            long orphan = 0;
            long oldest = Long.MAX_VALUE;
            String name = "";
            for (Handle last : lasts) {
                Entry entry = byLast.get(last);
                if (entry == null) {
                    continue;
                }
                inUse += entry.row().range().count() - entry.unused();
                if (reclaiming.contains(last)) {
                    orphan += entry.unused();
                } else if (entry.row().revoking() || entry.deadline().nanosFromStart() <= now) {
                    suspect += entry.unused();
                } else {
                    pooled += entry.unused();
                }
                oldest = Math.min(oldest, entry.row().grantedMillis());
                name = entry.row().name();
            }
            accounts.add(new HolderAccount(holder, name, lasts.size(), inUse, pooled, suspect, orphan, oldest));
        });
        return accounts;
    }

    /** The leases of one holder, in handle order. */
    public synchronized List<LeaseRow> of(long holder) {
        List<LeaseRow> found = new ArrayList<>();
        for (Handle last : lastByHolder.getOrDefault(holder, new TreeSet<>())) {
            Entry entry = byLast.get(last);
            if (entry != null) {
                found.add(entry.row());
            }
        }
        return found;
    }

    /** Unused handles in all leases of a holder. */
    public synchronized long unusedOf(long holder) {
        return unusedByHolder.getOrDefault(holder, 0L);
    }

    /** The number of the lease's handles that no file is known to have. */
    public synchronized int unused(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        return entry == null ? 0 : entry.unused();
    }

    /** The leases behind a handle, in handle order. */
    public synchronized List<LeaseRow> after(Handle handle, int limit) {
        return byLast.tailMap(handle, false).values().stream()
                .limit(limit)
                .map(Entry::row)
                .toList();
    }

    /**
     * Leases that are over and not {@link #settled}, those over for the longest first. Together they have at most this many handles, but
     * there is at least one lease.
     *
     * @param but last handles of leases to leave out
     */
    public synchronized List<LeaseRow> over(int most, long mostHandles, Set<Handle> but) {
        List<LeaseRow> over = new ArrayList<>();
        long count = 0;
        long now = elapsedNanos();
        for (Deadline deadline : deadlines) {
            Entry entry = byLast.get(deadline.last());
            if (deadline.nanosFromStart() > now || entry == null || over.size() == most) {
                break;
            }
            if (settled.contains(deadline.last()) || but.contains(deadline.last())) {
                continue;
            }
            count += entry.row().range().count();
            if (count > mostHandles && !over.isEmpty()) {
                break;
            }
            over.add(entry.row());
        }
        return over;
    }

    /** Whether the lease is over and was not renewed since; false if it has ended. */
    public synchronized boolean isOver(LeaseRow row) {
        return leftMillis(row) == 0 && byLast.containsKey(row.range().last());
    }

    /** The time until the lease ends unless it is renewed, rounded up; 0 if it is over or has ended. */
    public synchronized long leftMillis(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        long nanos = entry == null ? 0 : entry.deadline().nanosFromStart() - elapsedNanos();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** How long the lease is over, since its last step towards its end; 0 while it is open, or if it has ended. */
    public synchronized long overMillis(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        long nanos = entry == null ? 0 : elapsedNanos() - entry.deadline().nanosFromStart();
        return nanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    public synchronized int count() {
        return byLast.size();
    }

    /** Unused handles in all leases. */
    public synchronized long unused() {
        return unused;
    }

    public synchronized int revoking() {
        return revoking;
    }

    /** Some leases whose datafiles all belong to metafiles or are gone, and that are not REVOKING. */
    public synchronized List<LeaseRow> settled(int most) {
        List<LeaseRow> found = new ArrayList<>();
        for (Handle last : settled) {
            Entry entry = byLast.get(last);
            if (found.size() == most) {
                break;
            }
            if (entry != null) {
                found.add(entry.row());
            }
        }
        return found;
    }

    private long elapsedNanos() {
        return clock.monotonicNanos() - startNanos;
    }
}
