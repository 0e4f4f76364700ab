package io.steadfs.client.call;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Attributes that a client was told a short time ago, by path. A stat is answered from them without a message until they
 * expire (h-flat, section 3.3: a read-only cache with item expiration). Off unless it is configured: a stat may then miss
 * what other clients have changed since. What the client changes itself is seen at once. Thread-safe.
 *
 * <pre>
 *  stat ──not kept──► asked ──answered, and nothing was changed since──► kept ──expiry over, or changed──► not kept
 * </pre>
 *
 * Only what exists is kept, and no file that is open for writing. Paths are kept without a leading slash; the root is
 * empty.
 */
public final class AttributeCache {
    static final ConfigKey<Long> EXPIRY = ConfigKey.number(
            "stead.client.attributes.expiry",
            0,
            0,
            3_600_000,
            "milliseconds",
            "How long a client answers a stat from what a server told it before. It may then miss what other clients have"
                    + " changed since, and sees its own changes at once. 0 = a server is always asked.");
    public static final List<ConfigKey<?>> KEYS = List.of(EXPIRY);

    /** The most paths. Above, those that have expired are forgotten, and all if none has. */
    private static final int MOST = 10_000;

    private final Clock clock;
    private final long expiryNanos;
    private final ClientCounters counters;

    // Both guarded by this.
    private final TreeMap<String, Kept> kept = new TreeMap<>();
    private long changes;

    private record Kept(Attributes attributes, long endNanos) {}

    private AttributeCache(Clock clock, long expiryNanos, ClientCounters counters) {
        this.clock = clock;
        this.expiryNanos = expiryNanos;
        this.counters = counters;
    }

    /** The cache of a client; empty if it has none. */
    public static Optional<AttributeCache> of(Settings settings, Clock clock, ClientCounters counters) {
        long expiryMillis = settings.get(EXPIRY);
        return expiryMillis > 0
                ? Optional.of(new AttributeCache(clock, TimeUnit.MILLISECONDS.toNanos(expiryMillis), counters))
                : Optional.empty();
    }

    /** What was told of the path, if that has not expired. */
    public synchronized Optional<Attributes> find(String path) {
        Kept found = kept.get(path);
        if (found == null || clock.monotonicNanos() - found.endNanos() >= 0) {
            return Optional.empty();
        }
        counters.attributesKept.increment();
        return Optional.of(found.attributes());
    }

    /** Begins a question for attributes. The caller sends it afterwards. */
    public synchronized Question ask(String path) {
        return new Question(path, changes, clock.monotonicNanos());
    }

    /** A question that was sent. */
    public final class Question {
        private final String path;
        private final long changesBefore;
        private final long askedNanos;

        private Question(String path, long changesBefore, long askedNanos) {
            this.path = path;
            this.changesBefore = changesBefore;
            this.askedNanos = askedNanos;
        }

        /** Keeps the answer, unless the client has changed something since it asked. The expiry counts from the question. */
        public void answered(Attributes attributes) {
            synchronized (AttributeCache.this) {
                if (changes == changesBefore && !attributes.getOpen()) {
                    makeRoom();
                    kept.put(path, new Kept(attributes, askedNanos + expiryNanos));
                }
            }
        }
    }

    private void makeRoom() {
        if (kept.size() >= MOST) {
            long now = clock.monotonicNanos();
            kept.values().removeIf(each -> now - each.endNanos() >= 0);
            if (kept.size() >= MOST) {
                kept.clear();
            }
        }
    }

    /** Forgets what the client's own change may change: before it is sent, and again when it is over. */
    public synchronized void changed(io.steadfs.client.call.Question change) {
        changes++;
        if (change.whole().isEmpty()) {
            // It is about a file that is open, or that has no name yet.
            return;
        }
        String path = change.whole().get().path();
        if (path.isEmpty() || change.kind() == Kind.RENAME) {
            kept.clear();
            return;
        }
        // What is above may be made with it, or get another time.
        kept.remove("");
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            kept.remove(path.substring(0, slash));
        }
        kept.remove(path);
        // The character after a slash: what is below it lies between.
        kept.subMap(path + '/', path + '0').clear();
    }
}
