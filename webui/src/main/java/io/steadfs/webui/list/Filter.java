package io.steadfs.webui.list;

import io.steadfs.webui.problem.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A condition on the items of a list. If the client asked for no condition, the filter accepts every item. */
public final class Filter {
    private final Optional<String> asked;

    private Filter(Optional<String> asked) {
        this.asked = asked;
    }

    /** @throws Refusal if the value is not one of the allowed values; the message names the parameter */
    public static Filter oneOf(String parameter, @Nullable String value, List<String> allowed) {
        if (value == null || value.isEmpty()) {
            return new Filter(Optional.empty());
        }
        if (!allowed.contains(value)) {
            throw Refusal.badRequest(parameter + ": '" + value + "' is none of " + String.join(", ", allowed));
        }
        return new Filter(Optional.of(value));
    }

    /** @throws Refusal if the value does not have the required form; the message names the parameter */
    public static Filter like(String parameter, @Nullable String value, Pattern form, String inWords) {
        if (value == null || value.isEmpty()) {
            return new Filter(Optional.empty());
        }
        if (!form.matcher(value).matches()) {
            throw Refusal.badRequest(parameter + ": '" + value + "' is not " + inWords);
        }
        return new Filter(Optional.of(value));
    }

    public boolean passes(String value) {
        return asked.isEmpty() || asked.get().equals(value);
    }
}
