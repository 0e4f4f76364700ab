package io.steadfs.webui.timeline;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.Optional;

/**
 * A way to create a file, and the name of this way. Each protocol is such a way, except {@code adaptive}. The protocol
 * {@code adaptive} only chooses between other protocols. One more way is {@code eager}: the protocol {@code unified},
 * with datafiles for all columns from the beginning.
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
