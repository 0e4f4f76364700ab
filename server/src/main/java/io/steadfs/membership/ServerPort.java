package io.steadfs.membership;

import io.steadfs.cluster.UsualPorts;
import io.steadfs.config.ConfigKey;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;

/** The usual port of a server, which follows from its number, and configuration keys with that default. */
public final class ServerPort {
    private static final String USUAL = "usual";
    private static final int MOST = 65_535;

    private ServerPort() {}

    /** @throws IllegalArgumentException naming the server if it has none */
    public static int usual(ServerId server) {
        return server.role() == ClusterMap.Role.MDS
                ? UsualPorts.ofMds(server.number())
                : UsualPorts.ofIo(server.number());
    }

    /** A key that holds a port, or the word {@code usual}, which is its default and reads as empty. */
    public static ConfigKey<Optional<Integer>> key(String name, int least, String meaning) {
        return new ConfigKey<>(name, USUAL, "", meaning, text -> parse(text.trim(), least));
    }

    private static Optional<Integer> parse(String text, int least) {
        if (text.equals(USUAL)) {
            return Optional.empty();
        }
        int port;
        try {
            port = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is neither a port nor '" + USUAL + "'", e);
        }
        if (port < least || port > MOST) {
            throw new IllegalArgumentException("is not in " + least + ".." + MOST);
        }
        return Optional.of(port);
    }
}
