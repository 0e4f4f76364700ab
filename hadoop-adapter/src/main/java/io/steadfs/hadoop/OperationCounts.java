package io.steadfs.hadoop;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often callers used each operation of Hadoop's API. If {@code StoreStatisticNames} has a name for an
 * operation, the counter has that name. This class also shows the client's counters, for example the number of messages
 * of each kind. {@link #reset} sets only the counts of operations to 0. The client's counters stay as they are.
 */
final class OperationCounts extends StorageStatistics {
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
    private final Supplier<Map<String, Long>> clientCounters;

    OperationCounts(String name, Supplier<Map<String, Long>> clientCounters) {
        super(name);
        this.clientCounters = clientCounters;
    }

    void count(String operation) {
        calls.computeIfAbsent(operation, key -> new LongAdder()).increment();
    }

    private Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>(clientCounters.get());
        calls.forEach((name, count) -> all.put(name, count.sum()));
        return all;
    }

    @Override
    public String getScheme() {
        return HadoopSettings.SCHEME;
    }

    @Override
    public Iterator<LongStatistic> getLongStatistics() {
        return all().entrySet().stream()
                .map(entry -> new LongStatistic(entry.getKey(), entry.getValue()))
                .iterator();
    }

    @Override
    public @Nullable Long getLong(String key) {
        return all().get(key);
    }

    @Override
    public boolean isTracked(String key) {
        return all().containsKey(key);
    }

    @Override
    public void reset() {
        calls.clear();
    }
}
