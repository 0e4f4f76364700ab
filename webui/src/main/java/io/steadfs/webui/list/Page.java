package io.steadfs.webui.list;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next cursor of the next part; null at the end
 * @param total of all parts; null where nobody counted
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
