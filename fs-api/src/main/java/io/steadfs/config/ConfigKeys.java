package io.steadfs.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The set of configuration keys that one process understands. If the configuration has another key that begins with
 * {@code stead.}, the process does not start.
 */
public final class ConfigKeys {
    private final TreeMap<String, ConfigKey<?>> byName = new TreeMap<>();

    public ConfigKeys(Collection<? extends ConfigKey<?>> keys) {
        for (ConfigKey<?> key : keys) {
            if (byName.put(key.name(), key) != null) {
                throw new IllegalArgumentException("configuration key " + key.name() + " is declared twice");
            }
        }
    }

    /** All keys, sorted by name. */
    public List<ConfigKey<?>> list() {
        return List.copyOf(byName.values());
    }

    /** A set with the keys of both sets. A key that both sets contain appears once. */
    public ConfigKeys and(ConfigKeys other) {
        TreeMap<String, ConfigKey<?>> all = new TreeMap<>(byName);
        all.putAll(other.byName);
        return new ConfigKeys(new ArrayList<>(all.values()));
    }

    /**
     * Checks that every name is known.
     *
     * @param where place of the names, for the message
     * @throws ConfigException if a name is unknown; the message names the unknown key and a similar known key
     */
    public void checkNames(Collection<String> names, String where) {
        for (String name : names) {
            if (!byName.containsKey(name)) {
                throw new ConfigException("unknown configuration key '" + name + "' in " + where
                        + "; the nearest known one is " + nearest(name));
            }
        }
    }

    /**
     * Checks that the value of each known name is one that its key allows.
     *
     * @throws ConfigException if a value is not allowed; the message names the key and the value
     */
    public void checkValues(Map<String, String> values) {
        Settings settings = Settings.of(values);
        byName.values().forEach(settings::get);
    }

    /**
     * Checks names and values.
     *
     * @param where place of the names, for the message
     * @throws ConfigException as {@link #checkNames} and {@link #checkValues} say
     */
    public void check(Map<String, String> values, String where) {
        checkNames(values.keySet(), where);
        checkValues(values);
    }

    /**
     * The known key nearest to the name. Of the two neighbours in the alphabet, this is the key with the longer common
     * prefix.
     */
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
