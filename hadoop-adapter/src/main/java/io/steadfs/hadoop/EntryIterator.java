package io.steadfs.hadoop;

import io.steadfs.client.list.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a listing, and converts each entry to the type that Hadoop wants. The pages of the listing are fetched
 * while the caller iterates.
 */
final class EntryIterator<T> implements RemoteIterator<T> {
    private final Iterator<Entry> entries;
    private final AbsolutePath path;
    private final Predicate<Entry> wanted;
    private final Function<Entry, T> convert;
    private @Nullable Entry next;

    EntryIterator(Iterator<Entry> entries, AbsolutePath path, Predicate<Entry> wanted, Function<Entry, T> convert) {
        this.entries = entries;
        this.path = path;
        this.wanted = wanted;
        this.convert = convert;
    }

    @Override
    public boolean hasNext() throws IOException {
        try {
            while (next == null && entries.hasNext()) {
                Entry entry = entries.next();
                if (wanted.test(entry)) {
                    next = entry;
                }
            }
            return next != null;
        } catch (UncheckedIOException e) {
            throw HadoopErrors.translate(Objects.requireNonNull(e.getCause()), path.toString());
        }
    }

    @Override
    public T next() throws IOException {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException("no more entries in " + path);
        }
        Entry entry = next;
        next = null;
        return convert.apply(entry);
    }
}
