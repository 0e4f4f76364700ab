package io.steadfs.mds.intent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which intents of a coordinator wait for a participant that did not answer. If many intents wait for a shard, no
 * new intent may need that shard. The knowledge about waiting intents is kept in memory only. After a restart, the
 * first attempt to finish an intent finds out again whether its participants answer. Thread-safe.
 */
public final class AwaitedShards {
    /** If this number of intents waits for a shard, no new intent may need the shard. */
    public static final int MOST = 64;

    private final Map<Integer, Set<Long>> waiting = new HashMap<>();

    /** Notes that the shard gave no answer about the intent, which is not closed yet. */
    public synchronized void unanswered(int shard, long intent) {
        waiting.computeIfAbsent(shard, each -> new HashSet<>()).add(intent);
    }

    /**
     * Notes that the shard acknowledged the outcome of the intent. If the intent had waited for the shard, the shard is
     * back.
     *
     * @return the other intents that wait for the shard; empty if the given intent did not wait for the shard
     */
    public synchronized List<Long> answered(int shard, long intent) {
        if (!waiting.getOrDefault(shard, Set.of()).contains(intent)) {
            return List.of();
        }
        remove(shard, intent);
        return List.copyOf(waiting.getOrDefault(shard, Set.of()));
    }

    /** Notes that the intent is closed, so that it waits for no shard any more. */
    public synchronized void closed(long intent) {
        List.copyOf(waiting.keySet()).forEach(shard -> remove(shard, intent));
    }

    /** Whether so many intents wait for the shard that no new intent may need it. */
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
