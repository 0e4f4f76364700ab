package io.steadfs.layout;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Names of the protocols by which clients create files. A client's configuration names the client's protocol. A
 * directory may hint at another protocol for its new files.
 */
public enum ProtocolName {
    UNIFIED,
    BASECASE,
    COMPOUND,
    LEASED,
    PRECREATED,
    DELEGATED,
    LAZY,
    ADAPTIVE;

    /**
     * Name of the extended attribute by which a directory hints at a protocol. The attribute's value names the protocol
     * for new files of the directory.
     */
    public static final String HINT = "user.stead.hint.protocol";

    /** @throws IllegalArgumentException if the text names no protocol; the message lists the valid names */
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
