package io.steadfs.webui.login;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody who is logged in may do. */
public enum Role {
    /** Looks. */
    VIEWER,
    /** Looks and changes. */
    OPERATOR;

    /** As it is written: {@code viewer}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty where there is none of that label. */
    public static Optional<Role> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
