package io.steadfs.client.list;

import io.steadfs.client.call.Waiting;
import io.steadfs.error.FsException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The entries of a listing. The next page is fetched as soon as the second entry of a page is reached. So at most two pages are in memory,
 * and a caller that wants to know only whether there is any entry asks for one page. For one thread.
 */
public final class Pages implements Iterator<Entry> {
    private final Listing listing;
    private final String waitingFor;
    private List<Entry> entries;
    private int next;
    private Optional<CompletableFuture<List<Entry>>> ahead = Optional.empty();

    /**
     * Fetches the first page.
     *
     * @param waitingFor for the message of a failure
     */
    public Pages(Listing listing, String waitingFor) throws FsException {
        this.listing = listing;
        this.waitingFor = waitingFor;
        this.entries = Waiting.on(listing.next(), waitingFor);
    }

    @Override
    public boolean hasNext() {
        while (next == entries.size() && (ahead.isPresent() || !listing.isOver())) {
            CompletableFuture<List<Entry>> page = ahead.orElseGet(listing::next);
            // Whatever the outcome is: after a failure the listing may be asked again.
            ahead = Optional.empty();
            try {
                entries = Waiting.on(page, waitingFor);
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
        if (next == 1 && ahead.isEmpty() && !listing.isOver()) {
            ahead = Optional.of(listing.next());
        }
        return entries.get(next++);
    }
}
