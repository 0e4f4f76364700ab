package io.steadfs.webui.list;

import io.steadfs.webui.problem.Refusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes the page of a list for which a client asked.
 *
 * @param limit largest number of items, 1 to 1000
 * @param cursor cursor of the last item on the previous page; empty = from the beginning
 * @param search text to find, in lower case; empty = all items
 */
public record Asked(int limit, String cursor, String search) {
    private static final int MOST = 1_000;
    private static final int USUAL = 100;

    /** @throws Refusal if a parameter is not valid; the message names the parameter */
    public static Asked of(@Nullable String limit, @Nullable String cursor, @Nullable String search) {
        int items = USUAL;
        if (limit != null) {
            try {
                items = Integer.parseInt(limit);
            } catch (NumberFormatException e) {
                items = 0;
            }
            if (items < 1 || items > MOST) {
                throw Refusal.badRequest("limit: '" + limit + "' is not in 1 to " + MOST);
            }
        }
        return new Asked(items, cursor == null ? "" : cursor, search == null ? "" : search.toLowerCase(Locale.ROOT));
    }

    /** Whether one of the texts contains the text to find. */
    public boolean finds(String... texts) {
        for (String text : texts) {
            if (text.toLowerCase(Locale.ROOT).contains(search)) {
                return true;
            }
        }
        return search.isEmpty();
    }

    /**
     * Returns a page of the items. The key of the page's last item is the cursor of the next page.
     *
     * @param from the items after the cursor, in the order of the list. The method takes only the items that the page
     * needs.
     */
    public <T> Page<T> page(Iterator<T> from, Predicate<T> wanted, Function<T, String> key) {
        List<T> items = new ArrayList<>();
        while (from.hasNext()) {
            T item = from.next();
            if (wanted.test(item)) {
                if (items.size() == limit) {
                    return new Page<>(items, key.apply(items.get(items.size() - 1)), null);
                }
                items.add(item);
            }
        }
        return new Page<>(items, null, null);
    }
}
