package io.steadfs.webui.timeline;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.Optional;

/**
 * A way to create a file, and the name by which people know this way. Every protocol is such a way, except
 * {@code adaptive}, because {@code adaptive} uses one of the other protocols. {@code eager} is one more way. It is the
 * protocol {@code unified}, but creates the datafiles of all columns at once.
 */
public record ProbedProtocol(String name, ProtocolName protocol, boolean eager) {
    private static final String EAGER = "eager";

    /** The way to create a file that has this name; empty if no way has this name. */
    static Optional<ProbedProtocol> of(String name) {
        if (name.equals(EAGER)) {
            return Optional.of(new ProbedProtocol(name, ProtocolName.UNIFIED, true));
        }
        try {
            ProtocolName protocol = ProtocolName.parse(name);
            return protocol == ProtocolName.ADAPTIVE
                    ? Optional.empty()
                    : Optional.of(new ProbedProtocol(name, protocol, false));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The client settings that select this way to create a file. */
    Map<String, String> settings() {
        return Map.of("stead.create.protocol", protocol.toString(), "stead.layout.eager", Boolean.toString(eager));
    }
}
