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
 * Room on a server's disk, as last measured less what was taken since. The reserve is what a server keeps free: below it
 * nothing new is stored, while logs, rows that tell of removals, and whoever clears up a full disk still find room.
 *
 * <p>The disk is asked again by whoever comes a second after the last time, or {@value #MEASURE_BYTES} taken bytes after
 * it; and, before anybody is refused, a tenth of a second after it. So a refusal costs no more than that when space
 * returns. Thread-safe.
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

    /** Asks the disk now. */
    public void measure() throws IOException {
        measuredNanos.set(clock.monotonicNanos());
        capacity = disk.capacityBytes();
        free.set(disk.freeBytes());
        taken.set(0);
    }

    /** Asks the disk if nobody did for so long; one of those who come together does. */
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

    /** Whether so many bytes may be stored with the reserve left; if so, they count as taken. */
    public boolean take(long bytes) {
        if (!hasRoomFor(bytes)) {
            return false;
        }
        free.addAndGet(-bytes);
        taken.addAndGet(bytes);
        return true;
    }

    /** Whether so many bytes could be stored with the reserve left. */
    public boolean hasRoomFor(long bytes) {
        measureAfter(MEASURE_NANOS);
        if (free.get() - bytes < reserveBytes) {
            measureAfter(RECHECK_NANOS);
        }
        return free.get() - bytes >= reserveBytes;
    }

    /** Why so many bytes cannot be stored, for the caller and for the operator. */
    public String refusal(String server, long bytes) {
        return server + " stores nothing new: its directory " + disk.place() + " has " + freeBytes()
                + " bytes free, needed are " + (reserveBytes + bytes) + ", of them " + reserveBytes + " in reserve";
    }

    /** What is wrong, if there is less than the reserve. */
    public Optional<String> problem(String server) {
        return hasRoomFor(0) ? Optional.empty() : Optional.of(refusal(server, 0));
    }

    /** Adds what is wrong and the disk's figures to a server's account of itself. */
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

    /** What writers may still store. */
    public long usableBytes() {
        return Math.max(0, free.get() - reserveBytes);
    }

    public long reserveBytes() {
        return reserveBytes;
    }

    /** The directory, for messages. */
    public String place() {
        return disk.place();
    }
}
