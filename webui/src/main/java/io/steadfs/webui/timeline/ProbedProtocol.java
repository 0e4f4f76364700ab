package io.steadfs.webui.timeline;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.Optional;

/**
 * A way to create a file, as people name it: each protocol but {@code adaptive}, which is one of the others; and {@code eager}, which is
 * unified with datafiles for all columns from the beginning.
 */
public record ProbedProtocol(String name, ProtocolName protocol, boolean eager) {
    private static final String EAGER = "eager";

    /** Empty where there is none of that name. */
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

    /** What a client must be told to use it. */
    Map<String, String> settings() {
        return Map.of("stead.create.protocol", protocol.toString(), "stead.layout.eager", Boolean.toString(eager));
    }
}
