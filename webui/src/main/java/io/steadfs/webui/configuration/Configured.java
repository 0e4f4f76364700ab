package io.steadfs.webui.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.wire.proto.ConfigurationReply;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Configuration keys and their values.
 *
 * @param of name of the process to which the keys belong, for people
 */
public record Configured(String of, List<Value> values) {
    public Configured {
        values = List.copyOf(values);
    }

    /**
     * A configuration key and its value.
     *
     * @param byDefault the default value
     * @param origin place where the value was set; empty if the value is the default
     * @param section second part of the key's name, for example {@code mds} in {@code stead.mds.queue.bytes}
     */
    public record Value(
            String key,
            String value,
            @JsonProperty("default") String byDefault,
            String unit,
            String meaning,
            String section,
            String origin,
            @JsonProperty("isDefault") boolean isDefault) {}

    /** @param said returns the value that was set for a key; empty if no value was set */
    public static Configured of(String whose, ConfigKeys keys, Function<String, Optional<String>> said) {
        return new Configured(
                whose,
                keys.list().stream()
                        .map(key -> value(key, said.apply(key.name())))
                        .toList());
    }

    private static Value value(ConfigKey<?> key, Optional<String> said) {
        String text = said.orElse(key.defaultText());
        return new Value(
                key.name(),
                key.isSecret() && !text.isEmpty() ? "(set)" : text,
                key.defaultText(),
                key.unit(),
                key.meaning(),
                section(key.name()),
                said.isPresent() ? "set" : "",
                text.equals(key.defaultText()));
    }

    private static String section(String key) {
        return key.split("\\.", 3)[1];
    }

    /** The configuration keys and values that a server reported. */
    static Configured of(String server, List<ConfigurationReply.Value> values) {
        return new Configured(
                server,
                values.stream()
                        .map(told -> new Value(
                                told.getKey(),
                                told.getValue(),
                                told.getDefaultValue(),
                                told.getUnit(),
                                told.getMeaning(),
                                section(told.getKey()),
                                told.getOrigin(),
                                told.getOrigin().isEmpty()))
                        .sorted(Comparator.comparing(Value::key))
                        .toList());
    }
}
