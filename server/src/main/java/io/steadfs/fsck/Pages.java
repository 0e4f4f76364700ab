package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the rows of a server in handle order, page by page. Only one page is in memory. */
final class Pages<T> {
    private final Source<T> source;
    private final Function<T, Handle> handleOf;
    private final Deque<T> page = new ArrayDeque<>();
    private Handle last;
    private boolean more = true;

    /** @param more whether more rows may follow */
    record Page<T>(List<T> rows, boolean more) {}

    interface Source<T> {
        /** The page of rows that follow a handle. */
        Page<T> after(Handle handle) throws FsException;
    }

    /** @param before the handle behind which reading begins */
    Pages(Source<T> source, Function<T, Handle> handleOf, Handle before) {
        this.source = source;
        this.handleOf = handleOf;
        this.last = before;
    }

    /** The handle of the next row; empty at the end. */
    Optional<Handle> handle() throws FsException {
        while (page.isEmpty() && more) {
            Page<T> next = source.after(last);
            more = next.more() && !next.rows().isEmpty();
            page.addAll(next.rows());
        }
        return page.isEmpty() ? Optional.empty() : Optional.of(handleOf.apply(page.getFirst()));
    }

    /** The next row, if it belongs to this handle. */
    Optional<T> take(Handle handle) throws FsException {
        if (handle().filter(handle::equals).isEmpty()) {
            return Optional.empty();
        }
        last = handle;
        return Optional.of(page.removeFirst());
    }
}
