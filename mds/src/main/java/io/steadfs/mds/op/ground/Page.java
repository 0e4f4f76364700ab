package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;

/** How much one answer of a listing holds: the number of entries asked for, within the server's limits for entries and bytes. */
public final class Page {
    public static final int MAX_ENTRIES = 1000;
    /** A page is full when it has this number of bytes, which is half of what a message body may have. */
    public static final int MAX_BYTES = 4 << 20;

    private final int limit;
    private int entries;
    private int bytes;

    /** @param wanted the greatest number of entries; 0 = as many as the server gives */
    public Page(int wanted) throws Refused {
        if (wanted < 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "page of " + Integer.toUnsignedString(wanted) + " entries");
        }
        this.limit = wanted == 0 ? MAX_ENTRIES : Math.min(wanted, MAX_ENTRIES);
    }

    /** The greatest number of entries. */
    public int limit() {
        return limit;
    }

    public boolean isFull() {
        return entries >= limit || bytes >= MAX_BYTES;
    }

    public void add(int entryBytes) {
        entries++;
        bytes += entryBytes;
    }
}
