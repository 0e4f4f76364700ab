package io.steadfs.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Values of configuration keys, wherever they come from: a file on servers, Hadoop's Configuration on clients. */
public final class Settings {
    private final Function<String, Optional<String>> source;
    /** Where a value comes from, in words, by the name of its key. Empty where that is not known. */
    private final Function<String, String> origins;
    /** The keys that the process understands. Empty where nobody set them. */
    private final ConfigKeys keys;

    /**
     * A key and its value, as they are shown to people.
     *
     * @param value for a key that holds a secret, only whether it is set
     * @param origin where the value comes from; empty where it is the default
     */
    public record Told(ConfigKey<?> key, String value, String origin) {}

    private Settings(Function<String, Optional<String>> source, Function<String, String> origins, ConfigKeys keys) {
        this.source = source;
        this.origins = origins;
        this.keys = keys;
    }

    /** @param source text of a key by its name; empty where the user set nothing */
    public static Settings from(Function<String, Optional<String>> source) {
        return new Settings(source, name -> "", new ConfigKeys(List.of()));
    }

    public static Settings of(Map<String, String> values) {
        return of(values, Map.of());
    }

    /** @param origins where values come from, in words, by key */
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

    /** The same settings, with these values in place of others. */
    public Settings with(Map<String, String> values) {
        Map<String, String> copy = Map.copyOf(values);
        return new Settings(
                name -> copy.containsKey(name) ? Optional.ofNullable(copy.get(name)) : source.apply(name),
                name -> copy.containsKey(name) ? "" : origins.apply(name),
                keys);
    }

    /** The same settings, for a process that understands these keys. */
    public Settings understanding(ConfigKeys all) {
        return new Settings(source, origins, all);
    }

    /** All keys that the process understands, with their values. */
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
     * The user's value or the default.
     *
     * @throws ConfigException naming key and value if the value cannot be used
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
