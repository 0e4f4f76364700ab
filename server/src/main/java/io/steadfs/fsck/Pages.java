package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the rows of a server in handle order, page by page. Keeps only one page in memory. */
final class Pages<T> {
    private final Source<T> source;
    private final Function<T, Handle> handleOf;
    private final Deque<T> page = new ArrayDeque<>();
    private Handle last;
    private boolean more = true;

    /** @param more whether more rows may follow */
    record Page<T>(List<T> rows, boolean more) {}

    interface Source<T> {
        /** Returns the page of rows after a handle. */
        Page<T> after(Handle handle) throws FsException;
    }

    /** @param before reading begins with the first row after this handle */
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

    /** Takes the next row if the row belongs to this handle. */
    Optional<T> take(Handle handle) throws FsException {
        if (handle().filter(handle::equals).isEmpty()) {
            return Optional.empty();
        }
        last = handle;
        return Optional.of(page.removeFirst());
    }
}
