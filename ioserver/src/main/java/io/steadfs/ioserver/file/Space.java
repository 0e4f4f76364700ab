package io.steadfs.ioserver.file;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Room on the disk, as last measured less what was taken since. Thread-safe. The reserve is kept free for rows, logs and
 * whoever has to clear up a full disk.
 */
public final class Space {
    private final DataFiles files;
    private final long reserveBytes;
    private final AtomicLong free = new AtomicLong();
    private volatile long capacity;

    public Space(DataFiles files, long reserveBytes) throws IOException {
        this.files = files;
        this.reserveBytes = reserveBytes;
        measure();
    }

    /** Asks the disk. */
    public void measure() throws IOException {
        capacity = files.capacityBytes();
        free.set(files.freeBytes());
    }

    /** Whether so many bytes may be stored with the reserve left; if so, they count as taken. */
    public boolean take(long bytes) {
        if (free.get() - bytes < reserveBytes) {
            return false;
        }
        free.addAndGet(-bytes);
        return true;
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
}
