package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;
import java.util.Map;
import java.util.TreeMap;

/**
 * What reports say of one compared system, also after it has ended.
 *
 * @param settings the configuration values that differ from the system's defaults
 */
record SystemFacts(Side side, Map<String, String> settings) {
    static SystemFacts of(Contender contender) {
        return new SystemFacts(Side.of(contender), new TreeMap<>(contender.settings()));
    }

    String name() {
        return side.name();
    }
}
