package io.steadfs.webui.list;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next cursor of the next page; null at the end
 * @param total of all pages; null if nobody counted
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
