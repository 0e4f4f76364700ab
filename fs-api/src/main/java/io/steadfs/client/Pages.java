package io.steadfs.client;

import io.steadfs.error.FsException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The entries of a listing, one page in memory at a time. For one thread. */
final class Pages implements Iterator<Entry> {
    private final Listing listing;
    private final String waitingFor;
    private List<Entry> entries;
    private int next;

    /**
     * Fetches the first page.
     *
     * @param waitingFor for the message of a failure
     */
    Pages(Listing listing, String waitingFor) throws FsException {
        this.listing = listing;
        this.waitingFor = waitingFor;
        this.entries = Waiting.on(listing.next(), waitingFor);
    }

    @Override
    public boolean hasNext() {
        while (next == entries.size() && !listing.isOver()) {
            try {
                entries = Waiting.on(listing.next(), waitingFor);
            } catch (FsException e) {
                throw new UncheckedIOException(e);
            }
            next = 0;
        }
        return next < entries.size();
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException("end of the listing");
        }
        return entries.get(next++);
    }
}
