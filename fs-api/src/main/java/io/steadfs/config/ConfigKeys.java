package io.steadfs.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** A set of keys that one process understands; any other key under {@code stead.} stops its start-up. */
public final class ConfigKeys {
    private final TreeMap<String, ConfigKey<?>> byName = new TreeMap<>();

    public ConfigKeys(Collection<? extends ConfigKey<?>> keys) {
        for (ConfigKey<?> key : keys) {
            if (byName.put(key.name(), key) != null) {
                throw new IllegalArgumentException("configuration key " + key.name() + " is declared twice");
            }
        }
    }

    /** All keys, by name. */
    public List<ConfigKey<?>> list() {
        return List.copyOf(byName.values());
    }

    /** Keys of two sets together. A key that is the same constant in both is kept once. */
    public ConfigKeys and(ConfigKeys other) {
        TreeMap<String, ConfigKey<?>> all = new TreeMap<>(byName);
        all.putAll(other.byName);
        return new ConfigKeys(new ArrayList<>(all.values()));
    }

    /**
     * Checks that every name is known.
     *
     * @throws ConfigException naming the unknown key and a known one near it in the alphabet
     */
    public void checkNames(Collection<String> names, String where) {
        for (String name : names) {
            if (!byName.containsKey(name)) {
                throw new ConfigException("unknown configuration key '" + name + "' in " + where
                        + "; the nearest known one is " + nearest(name));
            }
        }
    }

    /** Of the two neighbours in the alphabet, the one that shares more letters with the name at its beginning. */
    private String nearest(String name) {
        String before = byName.floorKey(name);
        String after = byName.higherKey(name);
        if (before == null || after == null) {
            return before == null ? byName.firstKey() : before;
        }
        return common(name, after) > common(name, before) ? after : before;
    }

    private static int common(String a, String b) {
        int length = 0;
        while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
            length++;
        }
        return length;
    }
}
