package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import io.steadfs.client.call.Futures;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The entries of a directory, or of all that is below it, page by page. A page of a tree may name directories whose contents are on other
 * shards. Those directories are listed, as trees of their own, before the rest of the tree in which they were met. So for each change of
 * shards on the way down, the listing keeps the rest of one tree and the unlisted directories of one page. It does not keep the pages
 * themselves. A directory that is gone when its turn comes has no contents.
 *
 * <p>One page is fetched at a time. Not thread-safe.
 */
public final class Listing {
    private final Source source;
    private final Deque<Part> left = new ArrayDeque<>();

    /** Fetches pages. */
    public interface Source {
        /** @param start directory to list; empty = the path that was asked for */
        CompletableFuture<Page> fetch(Optional<Handle> start, ByteString cursor);
    }

    /** The rest of one directory or tree, which is below the listed one under this prefix. */
    private record Part(Optional<Handle> start, String prefix, ByteString cursor) {}

    public Listing(Source source) {
        this.source = source;
        left.push(new Part(Optional.empty(), "", ByteString.EMPTY));
    }

    public boolean isOver() {
        return left.isEmpty();
    }

    /** The next entries, perhaps none. After a failure it may be called again. */
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
            left.push(new Part(Optional.of(met.directory()), part.prefix() + met.path() + "/", ByteString.EMPTY));
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
