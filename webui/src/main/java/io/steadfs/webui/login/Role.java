package io.steadfs.webui.login;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user who is logged in may do. */
public enum Role {
    /** May look. */
    VIEWER,
    /** May look and make changes. */
    OPERATOR;

    /** The label as it is written: {@code viewer}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this label; empty if there is none. */
    public static Optional<Role> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
