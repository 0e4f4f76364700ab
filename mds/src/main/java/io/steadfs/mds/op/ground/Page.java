package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;

/**
 * Counts the entries and bytes of one answer of a listing, and says when the answer is full. The request limits the
 * number of entries. The server limits the number of entries and the bytes.
 */
public final class Page {
    public static final int MAX_ENTRIES = 1000;
    /** Number of bytes at which a page is full; half of the limit of a message body. */
    public static final int MAX_BYTES = 4 << 20;

    private final int limit;
    private int entries;
    private int bytes;

    /** @param wanted greatest number of entries that the request asks for; 0 = as many as the server allows */
    public Page(int wanted) throws Refused {
        if (wanted < 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "page of " + Integer.toUnsignedString(wanted) + " entries");
        }
        this.limit = wanted == 0 ? MAX_ENTRIES : Math.min(wanted, MAX_ENTRIES);
    }

    /** The greatest number of entries in the page. */
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
