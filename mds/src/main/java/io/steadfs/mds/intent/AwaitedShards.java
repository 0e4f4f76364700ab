package io.steadfs.mds.intent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which intents of a coordinator wait for a participant that did not answer. The participant is away, or was away when it was
 * last asked. If many intents wait for a shard, no new intent may need that shard. Kept in memory only: after a restart the
 * first attempt to finish an intent finds this out again. Thread-safe.
 */
public final class AwaitedShards {
    /** If this number of intents waits for a shard, no new one may need it. */
    public static final int MOST = 64;

    private final Map<Integer, Set<Long>> waiting = new HashMap<>();

    /** The shard gave no answer about the intent, and the intent is not closed. */
    public synchronized void unanswered(int shard, long intent) {
        waiting.computeIfAbsent(shard, each -> new HashSet<>()).add(intent);
    }

    /**
     * The shard acknowledged the outcome of the intent.
     *
     * @return the other intents that wait for the shard, if this intent waited for it: the shard is back
     */
    public synchronized List<Long> answered(int shard, long intent) {
        if (!waiting.getOrDefault(shard, Set.of()).contains(intent)) {
            return List.of();
        }
        remove(shard, intent);
        return List.copyOf(waiting.getOrDefault(shard, Set.of()));
    }

    /** The intent waits for nobody any more. */
    public synchronized void closed(long intent) {
        List.copyOf(waiting.keySet()).forEach(shard -> remove(shard, intent));
    }

    /** Whether no new intent may need the shard. */
    public synchronized boolean isFull(int shard) {
        return waiting.getOrDefault(shard, Set.of()).size() >= MOST;
    }

    private void remove(int shard, long intent) {
        waiting.computeIfPresent(shard, (each, intents) -> {
            intents.remove(intent);
            return intents.isEmpty() ? null : intents;
        });
    }
}
