package io.steadfs.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The values of configuration keys. On servers, configuration values come from a file. On clients, configuration values
 * come from Hadoop's Configuration.
 */
public final class Settings {
    private final Function<String, Optional<String>> source;
    /** Gives the origin of a value in words, by the name of the value's key. Empty if the origin is unknown. */
    private final Function<String, String> origins;
    /** The keys that the process understands. Empty until a process has called {@link #understanding}. */
    private final ConfigKeys keys;

    /**
     * A key and its value, in the form in which people may see them.
     *
     * @param value value of the key; for a secret, the text says only that the key is set
     * @param origin origin of the value in words; empty if the value is the default
     */
    public record Told(ConfigKey<?> key, String value, String origin) {}

    private Settings(Function<String, Optional<String>> source, Function<String, String> origins, ConfigKeys keys) {
        this.source = source;
        this.origins = origins;
        this.keys = keys;
    }

    /** @param source gives the user's text for the name of a key; empty if the user set no value */
    public static Settings from(Function<String, Optional<String>> source) {
        return new Settings(source, name -> "", new ConfigKeys(List.of()));
    }

    public static Settings of(Map<String, String> values) {
        return of(values, Map.of());
    }

    /** @param origins origin of each value in words, by the name of the key */
    public static Settings of(Map<String, String> values, Map<String, String> origins) {
        Map<String, String> copy = Map.copyOf(values);
        Map<String, String> from = Map.copyOf(origins);
        return new Settings(
                name -> Optional.ofNullable(copy.get(name)),
                name -> from.getOrDefault(name, ""),
                new ConfigKeys(List.of()));
    }

    public static Settings defaults() {
        return of(Map.of());
    }

    /** The same settings, but with the given values for the given keys. */
    public Settings with(Map<String, String> values) {
        Map<String, String> copy = Map.copyOf(values);
        return new Settings(
                name -> copy.containsKey(name) ? Optional.ofNullable(copy.get(name)) : source.apply(name),
                name -> copy.containsKey(name) ? "" : origins.apply(name),
                keys);
    }

    /** The same settings, for a process that understands the given keys. */
    public Settings understanding(ConfigKeys all) {
        return new Settings(source, origins, all);
    }

    /** All keys that the process understands, each with its value and the value's origin. */
    public List<Told> told() {
        return keys.list().stream().map(this::told).toList();
    }

    private Told told(ConfigKey<?> key) {
        Optional<String> said = source.apply(key.name());
        String text = said.orElse(key.defaultText());
        String from = origins.apply(key.name());
        return new Told(
                key,
                key.isSecret() && !text.isEmpty() ? "(set)" : text,
                said.isEmpty() ? "" : from.isEmpty() ? "set" : from);
    }

    /**
     * The user's value for the key, or the default if the user set no value.
     *
     * @throws ConfigException if the value cannot be used; the message names key and value
     */
    public <T> T get(ConfigKey<T> key) {
        String text = source.apply(key.name()).orElse(key.defaultText());
        try {
            return key.parse().apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "configuration key " + key.name() + ": value '" + text + "' " + e.getMessage(), e);
        }
    }
}
