package io.steadfs.ioserver.lane;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters that only rise, by dotted name. There are only a few counters, because their names are constants in the
 * code. Thread-safe.
 */
public final class Counters {
    private final ConcurrentHashMap<String, LongAdder> byName = new ConcurrentHashMap<>();

    public void add(String name, long amount) {
        byName.computeIfAbsent(name, unused -> new LongAdder()).add(amount);
    }

    public void count(String name) {
        add(name, 1);
    }

    public long get(String name) {
        LongAdder adder = byName.get(name);
        return adder == null ? 0 : adder.sum();
    }

    public Map<String, Long> read() {
        Map<String, Long> values = new TreeMap<>();
        byName.forEach((name, adder) -> values.put(name, adder.sum()));
        return values;
    }
}
