package io.steadfs.disk;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Free space on a server's disk: the last measured value minus the bytes that callers took since. The server keeps a
 * reserve free. If less than the reserve is free, the server stores nothing new. The reserve leaves space for logs, for
 * rows about removals, and for cleaning up a full disk.
 *
 * <p>A call measures the disk again if the last measurement is a second old. A call also measures if callers took
 * {@value #MEASURE_BYTES} bytes since the last measurement. Before a call refuses, it measures again if the last
 * measurement is a tenth of a second old. So refusals end at most a tenth of a second after space returns. Thread-safe.
 */
public final class Space {
    public static final ConfigKey<Long> RESERVE = ConfigKey.number(
            "stead.disk.reserve",
            64L << 20,
            0,
            1L << 50,
            "bytes",
            "Free space below which a server stores nothing new and answers NO_SPACE; reads and removals go on. With less"
                    + " than 16 MiB a store may meet the full disk itself; it is then opened again when there is space.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(RESERVE));

    private static final Logger LOG = LoggerFactory.getLogger(Space.class);

    static final long MEASURE_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long MEASURE_BYTES = 16L << 20;

    private final Disk disk;
    private final long reserveBytes;
    private final Clock clock;
    private final AtomicLong free = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong measuredNanos = new AtomicLong();
    private volatile long capacity;

    public Space(Disk disk, long reserveBytes, Clock clock) throws IOException {
        this.disk = disk;
        this.reserveBytes = reserveBytes;
        this.clock = clock;
        measure();
    }

    /** Measures the disk now. */
    public void measure() throws IOException {
        measuredNanos.set(clock.monotonicNanos());
        capacity = disk.capacityBytes();
        free.set(disk.freeBytes());
        taken.set(0);
    }

    /**
     * Measures the disk if the last measurement is older than this time, or if callers took {@link #MEASURE_BYTES}
     * since. If several threads call at the same time, only one of them measures.
     */
    private void measureAfter(long nanos) {
        long now = clock.monotonicNanos();
        long last = measuredNanos.get();
        boolean due = now - last >= nanos || taken.get() >= MEASURE_BYTES;
        if (due && measuredNanos.compareAndSet(last, now)) {
            try {
                measure();
            } catch (IOException e) {
                LOG.warn("free space of {} is unknown", disk.place(), e);
            }
        }
    }

    /** Takes this many bytes. Returns false, and takes nothing, if the bytes would use the reserve. */
    public boolean take(long bytes) {
        if (!hasRoomFor(bytes)) {
            return false;
        }
        free.addAndGet(-bytes);
        taken.addAndGet(bytes);
        return true;
    }

    /** Whether this many bytes can be stored without using the reserve. */
    public boolean hasRoomFor(long bytes) {
        measureAfter(MEASURE_NANOS);
        if (free.get() - bytes < reserveBytes) {
            measureAfter(RECHECK_NANOS);
        }
        return free.get() - bytes >= reserveBytes;
    }

    /** The message that tells the caller and the operator why this many bytes cannot be stored. */
    public String refusal(String server, long bytes) {
        return server + " stores nothing new: its directory " + disk.place() + " has " + freeBytes()
                + " bytes free, needed are " + (reserveBytes + bytes) + ", of them " + reserveBytes + " in reserve";
    }

    /** The problem to report; empty if the reserve is free. */
    public Optional<String> problem(String server) {
        return hasRoomFor(0) ? Optional.empty() : Optional.of(refusal(server, 0));
    }

    /** Adds the disk's figures to a server's status, and a problem if less than the reserve is free. */
    public void report(String server, StatusReply.Builder status) {
        problem(server).ifPresent(status::addProblems);
        status.putGauges("disk.free.bytes", freeBytes())
                .putGauges("disk.capacity.bytes", capacityBytes())
                .putGauges("disk.reserve.bytes", reserveBytes());
    }

    public long capacityBytes() {
        return capacity;
    }

    public long freeBytes() {
        return Math.max(0, free.get());
    }

    /** The number of bytes that writers may still store without using the reserve. */
    public long usableBytes() {
        return Math.max(0, free.get() - reserveBytes);
    }

    public long reserveBytes() {
        return reserveBytes;
    }

    /** The server's directory, as messages name it. */
    public String place() {
        return disk.place();
    }
}
