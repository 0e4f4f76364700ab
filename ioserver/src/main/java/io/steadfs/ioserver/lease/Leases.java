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
 * All leases of the server that have not ended, as in the table, with an index by holder and an index by deadline.
 *
 * <p>A deadline is a time of the monotonic clock. So setting the wall clock ends no lease and keeps no lease alive. At
 * a start the deadline is computed from the expiry in the row, and is at most one duration away.
 *
 * <p>This class also counts the handles of a lease that no file is known to have. A lease is settled if the rows of the
 * store show that each of its handles is or was in a file. A settled lease is over at once: each of its datafiles
 * belongs to a metafile or was removed.
 *
 * <p>Only the lane of the holder changes the row of a lease. The lane of the holder changes this index in the batch
 * that changes the row, or after that batch. Other threads change the index too, so the index is synchronized:
 *
 * <ul>
 *   <li>The lanes that own datafiles call {@link #settle}.
 *   <li>The scheduler's thread calls {@link #reclaim}.
 *   <li>The thread that takes an acknowledgement calls {@link #know}.
 * </ul>
 *
 * Any thread may read the index.
 */
public final class Leases implements HandlesOnly {
    private final Clock clock;
    private final long durationMillis;
    private final TreeMap<Handle, Entry> byLast = new TreeMap<>();
    private final Map<Long, TreeSet<Handle>> lastByHolder = new HashMap<>();
    private final TreeSet<Deadline> deadlines = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    /** The last handles of the leases that are settled and not REVOKING. */
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

    /** The last handles of the leases whose unused handles are being taken back. */
    private final Set<Handle> reclaiming = new HashSet<>();

    /** A deadline, measured from the start of the server, because a monotonic clock may begin at any value. */
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
     * @param durationMillis how long a lease lasts if it is not renewed, in milliseconds
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

    /** Describes the rows that cannot be decoded, one line for each row. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    public long durationMillis() {
        return durationMillis;
    }

    /**
     * Adds a lease whose handles are all unused.
     *
     * @param leftMillis time until the lease is over, in milliseconds
     */
    public synchronized void add(LeaseRow row, long leftMillis) {
        put(row, leftMillis, new LeaseUse((int) row.range().count(), new BitSet()));
    }

    /**
     * Replaces the row of the lease and keeps the use of its handles.
     *
     * @param leftMillis time until the lease is over, in milliseconds
     */
    public synchronized void change(LeaseRow row, long leftMillis) {
        Entry known = byLast.get(row.range().last());
        if (known != null) {
            put(row, known.use().isSettled() ? 0 : leftMillis, known.use());
        }
    }

    /**
     * Notes that a handle belongs to a metafile now, or that its datafile was removed. Must be called only after the
     * change is committed. A settled lease ends, and after a crash its row could no longer show that the handle was
     * leased.
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
     * Notes that, according to shards, files have the given handles. Handles that are not leased are ignored. The
     * leased handles count as used from now on, but only rows settle a lease.
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
     * Notes that the unused handles of the leases are being taken back. From now on no other handle of the leases gets
     * a datafile. Must be called only after each handle that a file has got its datafile.
     */
    public synchronized void reclaim(List<LeaseRow> rows) {
        for (LeaseRow row : rows) {
            if (byLast.containsKey(row.range().last())) {
                reclaiming.add(row.range().last());
            }
        }
    }

    /** Whether the handle is leased and has a datafile only if it has a row. */
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

    /** The lease that contains the handle; empty if no lease does. */
    public synchronized Optional<LeaseRow> holding(Handle handle) {
        return entryOf(handle).map(Entry::row);
    }

    /** The accounts of all holders, in no particular order. */
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

    /** Number of unused handles in all leases of a holder. */
    public synchronized long unusedOf(long holder) {
        return unusedByHolder.getOrDefault(holder, 0L);
    }

    /** Number of the lease's handles that no file is known to have. */
    public synchronized int unused(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        return entry == null ? 0 : entry.unused();
    }

    /** The leases behind a handle, in handle order, but at most {@code limit}. */
    public synchronized List<LeaseRow> after(Handle handle, int limit) {
        return byLast.tailMap(handle, false).values().stream()
                .limit(limit)
                .map(Entry::row)
                .toList();
    }

    /**
     * Leases that are over and not settled. The lease that has been over for the longest time comes first.
     *
     * @param most the highest number of leases
     * @param mostHandles the highest number of handles of all returned leases together; a single lease may have more
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

    /** Whether the lease is over and has not been renewed; false if the lease has ended. */
    public synchronized boolean isOver(LeaseRow row) {
        return leftMillis(row) == 0 && byLast.containsKey(row.range().last());
    }

    /**
     * The time until the lease is over if nobody renews it, in milliseconds, rounded up; 0 if the lease is over or has
     * ended.
     */
    public synchronized long leftMillis(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        long nanos = entry == null ? 0 : entry.deadline().nanosFromStart() - elapsedNanos();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /**
     * How long the lease has been over, in milliseconds. The time counts from the last step towards the end of the
     * lease. The result is 0 if the lease is open or has ended.
     */
    public synchronized long overMillis(LeaseRow row) {
        Entry entry = byLast.get(row.range().last());
        long nanos = entry == null ? 0 : elapsedNanos() - entry.deadline().nanosFromStart();
        return nanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    public synchronized int count() {
        return byLast.size();
    }

    /** Number of unused handles in all leases. */
    public synchronized long unused() {
        return unused;
    }

    public synchronized int revoking() {
        return revoking;
    }

    /** Some leases that are settled and not REVOKING. */
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
