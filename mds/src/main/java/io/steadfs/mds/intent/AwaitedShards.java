package io.steadfs.mds.intent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of a coordinator's intents wait for a participant that did not answer: it is away, or was when it was asked last.
 * So nothing more is begun with a shard for which many wait already. Kept in memory only: after a restart the first try
 * to finish an intent finds out again. Thread-safe.
 */
public final class AwaitedShards {
    /** From so many intents that wait for a shard on, no new one may need it. */
    public static final int MOST = 64;

    private final Map<Integer, Set<Long>> waiting = new HashMap<>();

    /** The shard gave no answer about the intent, which is not closed. */
    public synchronized void unanswered(int shard, long intent) {
        waiting.computeIfAbsent(shard, each -> new HashSet<>()).add(intent);
    }

    /**
     * The shard acknowledged what became of the intent.
     *
     * @return if the intent waited for it, so that it is back: the others that do
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

    /** Whether nothing new may need the shard. */
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
