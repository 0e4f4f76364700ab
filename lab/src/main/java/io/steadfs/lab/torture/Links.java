package io.steadfs.lab.torture;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;

/**
 * Holds the rules that disturb the network now. A rule selects connections by the names of their source and target
 * processes. Thread-safe.
 */
final class Links {
    /** What happens to the bytes between two processes. */
    enum Trouble {
        /** The bytes arrive late. */
        DELAY,
        /** The bytes of both directions wait. Neither process gets an error. */
        DROP,
        /** The bytes to the target wait. */
        DROP_REQUESTS,
        /** The bytes from the target wait. */
        DROP_REPLIES,
        /** Open connections end at once, and so does every new connection. */
        RESET
    }

    /** @param on tests whether the rule concerns a connection, by source and target */
    record Rule(Trouble trouble, long delayMillis, BiPredicate<String, String> on) {}

    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

    void add(Rule rule) {
        rules.add(rule);
        watchers.forEach(Runnable::run);
    }

    void remove(Rule rule) {
        rules.remove(rule);
        watchers.forEach(Runnable::run);
    }

    /** Adds a watcher that runs after every change of the rules. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /** @param toTarget true = the direction from the source to the target; false = the opposite direction */
    boolean waits(String source, String target, boolean toTarget) {
        return rules.stream()
                .filter(rule -> rule.on().test(source, target))
                .anyMatch(rule -> rule.trouble() == Trouble.DROP
                        || rule.trouble() == (toTarget ? Trouble.DROP_REQUESTS : Trouble.DROP_REPLIES));
    }

    boolean resets(String source, String target) {
        return rules.stream()
                .anyMatch(rule -> rule.trouble() == Trouble.RESET && rule.on().test(source, target));
    }

    long delayMillis(String source, String target) {
        return rules.stream()
                .filter(rule -> rule.trouble() == Trouble.DELAY && rule.on().test(source, target))
                .mapToLong(Rule::delayMillis)
                .max()
                .orElse(0);
    }
}
