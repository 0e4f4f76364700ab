package io.steadfs.webui.login;

import io.steadfs.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Limits how fast somebody can guess passwords. Each user name and each address may have only {@value #MOST_FAILURES}
 * failed logins in one minute. Each try to log in counts as failed until the login succeeds. Thread-safe.
 */
final class LoginLimit {
    static final int MOST_FAILURES = 5;
    static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_KEYS = 10_000;

    private final Clock clock;
    private final Map<String, Deque<Long>> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Long>> eldest) {
            return size() > MOST_KEYS;
        }
    };

    LoginLimit(Clock clock) {
        this.clock = clock;
    }

    /**
     * Returns the seconds until the next login is allowed. If a login is allowed now, the method counts the login as a
     * try and returns empty.
     */
    synchronized OptionalLong tries(String... keys) {
        long now = clock.monotonicNanos();
        long most = 0;
        for (String key : keys) {
            Deque<Long> times = failures.get(key);
            if (times == null) {
                continue;
            }
            while (!times.isEmpty() && now - times.getFirst() > WINDOW_NANOS) {
                times.removeFirst();
            }
            if (times.size() >= MOST_FAILURES) {
                most = Math.max(most, WINDOW_NANOS - (now - times.getFirst()));
            }
        }
        if (most > 0) {
            return OptionalLong.of(1 + TimeUnit.NANOSECONDS.toSeconds(most));
        }
        for (String key : keys) {
            failures.computeIfAbsent(key, unused -> new ArrayDeque<>()).addLast(now);
        }
        return OptionalLong.empty();
    }

    /** Takes back the last try, because the login succeeded. */
    synchronized void succeeded(String... keys) {
        for (String key : keys) {
            Deque<Long> times = failures.get(key);
            if (times != null && !times.isEmpty()) {
                times.removeLast();
            }
        }
    }
}
