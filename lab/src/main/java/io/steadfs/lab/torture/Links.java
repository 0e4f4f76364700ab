package io.steadfs.lab.torture;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;

/** What is wrong with the network now, by source and target: names of processes. Thread-safe. */
final class Links {
    /** What happens to the bytes between two processes. */
    enum Trouble {
        /** They come later. */
        DELAY,
        /** They wait, both ways, and nobody is told. */
        DROP,
        /** Those to the target wait. */
        DROP_REQUESTS,
        /** Those from the target wait. */
        DROP_REPLIES,
        /** Connections end at once, new ones too. */
        RESET
    }

    /** @param on connections that this concerns: source, target */
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

    /** Runs after every change. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /** @param toTarget the direction asked about */
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
