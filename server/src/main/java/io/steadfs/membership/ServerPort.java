package io.steadfs.membership;

import io.steadfs.cluster.UsualPorts;
import io.steadfs.config.ConfigKey;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;

/**
 * Computes the usual port of a server from the server's number, and makes configuration keys with the usual port as
 * default.
 */
public final class ServerPort {
    private static final String USUAL = "usual";
    private static final int MOST = 65_535;

    private ServerPort() {}

    /**
     * The usual port of the server.
     *
     * @throws IllegalArgumentException if the server has no usual port; the message names the server
     */
    public static int usual(ServerId server) {
        return server.role() == ClusterMap.Role.MDS
                ? UsualPorts.ofMds(server.number())
                : UsualPorts.ofIo(server.number());
    }

    /**
     * A key whose value is a port or the word {@code usual}. The default is {@code usual}. The parsed value of
     * {@code usual} is empty.
     *
     * @param least the lowest allowed port
     */
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
