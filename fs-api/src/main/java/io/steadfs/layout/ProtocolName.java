package io.steadfs.layout;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The ways to create a file. Clients are configured with them, and directories name them as hints. */
public enum ProtocolName {
    UNIFIED,
    BASECASE,
    COMPOUND,
    LEASED,
    PRECREATED,
    DELEGATED,
    LAZY,
    ADAPTIVE;

    /** Extended attribute of a directory whose value names the protocol for new files in it. */
    public static final String HINT = "user.stead.hint.protocol";

    /** @throws IllegalArgumentException listing the valid names */
    public static ProtocolName parse(String text) {
        for (ProtocolName name : values()) {
            if (name.toString().equals(text)) {
                return name;
            }
        }
        throw new IllegalArgumentException("is none of "
                + Arrays.stream(values()).map(ProtocolName::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
