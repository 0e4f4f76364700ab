package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The entries of a listing, one page in memory at a time. For one thread. */
final class Pages implements Iterator<Entry> {
    /** Fetches the page at a cursor and waits for it. */
    interface Source {
        Page fetch(ByteString cursor) throws FsException;
    }

    private final Source source;
    private Page page;
    private int next;

    /** Fetches the first page. */
    Pages(Source source) throws FsException {
        this.source = source;
        this.page = source.fetch(ByteString.EMPTY);
    }

    @Override
    public boolean hasNext() {
        while (next == page.entries().size() && !page.isLast()) {
            try {
                page = source.fetch(page.cursor());
            } catch (FsException e) {
                throw new UncheckedIOException(e);
            }
            next = 0;
        }
        return next < page.entries().size();
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException("end of the listing");
        }
        return page.entries().get(next++);
    }
}
