package io.steadfs.webui.timeline;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.Optional;

/**
 * A way to create a file, by the name that people use. Each protocol is one, except {@code adaptive}, which uses one of the others. Another
 * one is {@code eager}: unified with datafiles for all columns from the beginning.
 */
public record ProbedProtocol(String name, ProtocolName protocol, boolean eager) {
    private static final String EAGER = "eager";

    /** The protocol with this name; empty if there is none. */
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

    /** The client settings that select it. */
    Map<String, String> settings() {
        return Map.of("stead.create.protocol", protocol.toString(), "stead.layout.eager", Boolean.toString(eager));
    }
}
