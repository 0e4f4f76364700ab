package io.steadfs.webui.cluster;

import io.steadfs.webui.problem.Refusal;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Orders the names of servers by role and then by number. An example of a name is {@code io-12}. */
final class ServerOrder {
    static final Comparator<String> BY_NUMBER =
            Comparator.comparing(ServerOrder::role).thenComparingInt(ServerOrder::number);

    private static final Pattern NAME = Pattern.compile("[a-z]+-[0-9]{1,9}");

    private ServerOrder() {}

    static String role(String name) {
        return name.substring(0, name.indexOf('-'));
    }

    private static int number(String name) {
        return Integer.parseInt(name, name.indexOf('-') + 1, name.length(), 10);
    }

    /** @throws Refusal if the cursor is neither empty nor the name of a server */
    static void check(String cursor) {
        if (!cursor.isEmpty() && !NAME.matcher(cursor).matches()) {
            throw Refusal.badRequest("cursor: '" + cursor + "' is none of this list");
        }
    }

    /** Whether the server comes after the cursor. */
    static boolean isBehind(String name, String cursor) {
        return cursor.isEmpty() || BY_NUMBER.compare(name, cursor) > 0;
    }
}
