package io.steadfs.webui.cluster;

import io.steadfs.webui.problem.Refusal;
import java.util.Comparator;
import java.util.regex.Pattern;

/** The order of server names, {@code io-12}, by role and number. */
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

    /** @throws Refusal if a cursor that is not empty is no server's name */
    static void check(String cursor) {
        if (!cursor.isEmpty() && !NAME.matcher(cursor).matches()) {
            throw Refusal.badRequest("cursor: '" + cursor + "' is none of this list");
        }
    }

    /** Whether the server comes behind the cursor. */
    static boolean isBehind(String name, String cursor) {
        return cursor.isEmpty() || BY_NUMBER.compare(name, cursor) > 0;
    }
}
