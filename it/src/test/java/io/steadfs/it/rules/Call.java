package io.steadfs.it.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A call by somebody.
 *
 * @param who makes it
 * @param verb of {@link Verbs}
 * @param arguments names and values
 */
record Call(String who, String verb, List<String> arguments) {
    /**
     * Calls as a row has them, such as {@code owner: chmod d 700; open d/f}.
     *
     * @param usually who makes a call, unless it says so itself
     */
    static List<Call> all(String usually, String text) {
        List<Call> calls = new ArrayList<>();
        for (String each : text.split("; ", -1)) {
            int colon = each.indexOf(": ");
            String who = colon < 0 ? usually : each.substring(0, colon).strip();
            List<String> words = Arrays.asList(
                    each.substring(colon < 0 ? 0 : colon + 1).strip().split(" ", -1));
            calls.add(new Call(who, words.get(0), words.subList(1, words.size())));
        }
        return calls;
    }

    @Override
    public String toString() {
        return who + ": " + verb + " " + String.join(" ", arguments);
    }
}
