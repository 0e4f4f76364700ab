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
 * Keys and their values.
 *
 * @param of the process that they belong to, in words
 */
public record Configured(String of, List<Value> values) {
    public Configured {
        values = List.copyOf(values);
    }

    /**
     * A key and its value.
     *
     * @param byDefault the default value
     * @param origin where the value comes from; empty if it is the default
     * @param section second part of the key's name: {@code mds} of {@code stead.mds.queue.bytes}
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

    /** @param said the value that was set for a key; empty if there is none */
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

    /** The keys as a server reported them. */
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
