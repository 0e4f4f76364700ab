package io.steadfs.lab.torture;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;

/** The present faults of the network, by source and target. Sources and targets are names of processes. Thread-safe. */
final class Links {
    /** What happens to the bytes between two processes. */
    enum Trouble {
        /** All bytes come late. */
        DELAY,
        /** All bytes in both directions wait, and no process gets an error. */
        DROP,
        /** The bytes to the target wait. */
        DROP_REQUESTS,
        /** The bytes from the target wait. */
        DROP_REPLIES,
        /** Existing and new connections end at once. */
        RESET
    }

    /** @param on decides by source and target whether the rule concerns a connection */
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

    /** Adds a watcher that runs after every change. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /** @param toTarget whether the question is about the bytes to the target */
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
