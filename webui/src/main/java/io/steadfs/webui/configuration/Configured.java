package io.steadfs.webui.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keys and their values.
 *
 * @param of whose they are, in words
 */
public record Configured(String of, List<Value> values) {
    /** Of passwords and the like nobody is told more than whether they are set. */
    private static final List<String> SECRETS = List.of("password", "secret");

    public Configured {
        values = List.copyOf(values);
    }

    /**
     * A key and its value.
     *
     * @param byDefault value that it has when nobody says one
     * @param section second part of its name: {@code mds} of {@code stead.mds.queue.bytes}
     */
    public record Value(
            String key,
            String value,
            @JsonProperty("default") String byDefault,
            String unit,
            String meaning,
            String section,
            @JsonProperty("isDefault") boolean isDefault) {}

    /** @param said what was said of a key; empty where nothing was */
    public static Configured of(String whose, ConfigKeys keys, Function<String, Optional<String>> said) {
        return new Configured(
                whose,
                keys.list().stream()
                        .map(key -> value(key, said.apply(key.name())))
                        .toList());
    }

    private static Value value(ConfigKey<?> key, Optional<String> said) {
        boolean isSecret = SECRETS.stream().anyMatch(key.name()::contains);
        String text = said.orElse(key.defaultText());
        return new Value(
                key.name(),
                isSecret && !text.isEmpty() ? "(set)" : text,
                key.defaultText(),
                key.unit(),
                key.meaning(),
                key.name().split("\\.", 3)[1],
                text.equals(key.defaultText()));
    }
}
