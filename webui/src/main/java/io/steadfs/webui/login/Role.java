package io.steadfs.webui.login;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a logged-in user may do. */
public enum Role {
    /** May look. */
    VIEWER,
    /** May look and may make changes. */
    OPERATOR;

    /** The name of the role as the API writes it, for example {@code viewer}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this label; empty if no role has this label. */
    public static Optional<Role> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
