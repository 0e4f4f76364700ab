package io.steadfs.client.list;

import io.steadfs.client.call.Traces;
import io.steadfs.client.call.Waiting;
import io.steadfs.error.FsException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Iterates over the entries of a listing. The iterator starts to fetch the next page when the caller takes the second
 * entry of a page. So at most two pages are in memory. If a caller only asks whether there is any entry, the iterator
 * fetches only one page. Not thread-safe.
 */
public final class Pages implements Iterator<Entry> {
    private final Listing listing;
    private final Object waitingFor;
    private final Traces traces;
    private List<Entry> entries;
    private int next;
    private Optional<CompletableFuture<List<Entry>>> ahead = Optional.empty();

    /**
     * Fetches the first page.
     *
     * @param waitingFor what the caller waits for, an object whose text begins the message of a failure
     */
    public Pages(Listing listing, Object waitingFor, Traces traces) throws FsException {
        this.listing = listing;
        this.waitingFor = waitingFor;
        this.traces = traces;
        this.entries = Waiting.on(listing::next, waitingFor, traces);
    }

    @Override
    public boolean hasNext() {
        while (next == entries.size() && (ahead.isPresent() || !listing.isOver())) {
            try {
                entries = ahead.isPresent()
                        ? Waiting.on(ahead.get(), waitingFor, traces)
                        : Waiting.on(listing::next, waitingFor, traces);
            } catch (FsException e) {
                // A failed page is fetched again.
                ahead = Optional.empty();
                throw new UncheckedIOException(e);
            }
            ahead = Optional.empty();
            next = 0;
        }
        return next < entries.size();
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException("end of the listing");
        }
        if (next == 1 && ahead.isEmpty() && !listing.isOver()) {
            ahead = Optional.of(listing.next());
        }
        return entries.get(next++);
    }
}
