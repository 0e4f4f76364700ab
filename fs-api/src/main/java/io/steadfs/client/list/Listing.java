package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import io.steadfs.client.call.Futures;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Lists the entries of a directory or of a whole tree, page by page. A page of a tree may name directories whose
 * contents are on other shards. The listing lists each such directory as a tree of its own, before the rest of the
 * present tree. When the listing goes on to another shard, it remembers the rest of the present tree and the unlisted
 * directories of the present page. The listing does not remember pages. If a directory is gone by the time of its
 * listing, the directory counts as empty.
 *
 * <p>The listing fetches one page at a time. Not thread-safe.
 */
public final class Listing {
    private final Source source;
    private final Deque<Part> left = new ArrayDeque<>();

    /** Fetches pages. */
    public interface Source {
        /**
         * @param start directory to list; empty = the path that the caller asked for
         * @param cursor position where the page begins; empty = at the first entry
         */
        CompletableFuture<Page> fetch(Optional<Page.Elsewhere> start, ByteString cursor);
    }

    /**
     * The unlisted rest of one directory or tree. The prefix is its path below the directory that the caller asked for.
     */
    private record Part(Optional<Page.Elsewhere> start, String prefix, ByteString cursor) {}

    public Listing(Source source) {
        this.source = source;
        left.push(new Part(Optional.empty(), "", ByteString.EMPTY));
    }

    public boolean isOver() {
        return left.isEmpty();
    }

    /**
     * Fetches the next entries. The list may be empty before the end of the listing. After a failure this method may be
     * called again.
     */
    public CompletableFuture<List<Entry>> next() {
        Part part = left.element();
        CompletableFuture<Page> page = source.fetch(part.start(), part.cursor());
        return Futures.map(
                part.start().isEmpty() ? page : Futures.orElse(page, Listing::nothingIfGone), got -> take(part, got));
    }

    private static Optional<Page> nothingIfGone(FsException refused) {
        boolean gone = refused.error() == FsError.STALE_START || refused.error() == FsError.NOT_FOUND;
        return gone ? Optional.of(new Page(List.of(), List.of(), ByteString.EMPTY)) : Optional.empty();
    }

    private List<Entry> take(Part part, Page page) {
        left.pop();
        if (!page.isLast()) {
            left.push(new Part(part.start(), part.prefix(), page.cursor()));
        }
        for (int i = page.elsewhere().size() - 1; i >= 0; i--) {
            Page.Elsewhere met = page.elsewhere().get(i);
            left.push(new Part(Optional.of(met), part.prefix() + met.path() + "/", met.cursor()));
        }
        if (part.prefix().isEmpty()) {
            return page.entries();
        }
        List<Entry> entries = new ArrayList<>(page.entries().size());
        for (Entry entry : page.entries()) {
            entries.add(new Entry(part.prefix() + entry.name(), entry.info()));
        }
        return entries;
    }
}
