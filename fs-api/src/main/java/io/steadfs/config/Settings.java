package io.steadfs.config;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Values of configuration keys, wherever they come from: a file on servers, Hadoop's Configuration on clients. */
public final class Settings {
    private final Function<String, Optional<String>> source;

    private Settings(Function<String, Optional<String>> source) {
        this.source = source;
    }

    /** @param source text of a key by its name; empty where the user said nothing */
    public static Settings from(Function<String, Optional<String>> source) {
        return new Settings(source);
    }

    public static Settings of(Map<String, String> values) {
        Map<String, String> copy = Map.copyOf(values);
        return new Settings(name -> Optional.ofNullable(copy.get(name)));
    }

    public static Settings defaults() {
        return of(Map.of());
    }

    /** The same, but for these values, which stand above. */
    public Settings with(Map<String, String> values) {
        Map<String, String> copy = Map.copyOf(values);
        return new Settings(name -> copy.containsKey(name) ? Optional.ofNullable(copy.get(name)) : source.apply(name));
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
