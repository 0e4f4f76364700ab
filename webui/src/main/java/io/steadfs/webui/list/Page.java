package io.steadfs.webui.list;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next cursor of the next page; null on the last page
 * @param total number of items on all pages; null if unknown
 */
public record Page<T>(
        List<T> items, @Nullable String next, @Nullable Long total) {
    public Page {
        items = List.copyOf(items);
    }

    public static <T> Page<T> whole(List<T> items) {
        return new Page<>(items, null, (long) items.size());
    }
}
