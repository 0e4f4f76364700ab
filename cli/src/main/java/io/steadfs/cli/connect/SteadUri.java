package io.steadfs.cli.connect;

import io.steadfs.cluster.UsualPorts;
import io.steadfs.rpc.ServerAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The URI of a file system, as a user writes the URI on a command line.
 *
 * @param server any metadata server of the file system
 */
public record SteadUri(ServerAddress server) {
    /** Port of a metadata server if the URI contains no port. The Hadoop adapter uses the same port. */
    private static final int DEFAULT_PORT = UsualPorts.MDS;

    /**
     * Reads {@code stead://host[:port][/]}.
     *
     * @throws IllegalArgumentException if the text has another form; the message contains the text
     */
    public static SteadUri parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is no URI: " + e.getReason(), e);
        }
        String path = uri.getPath() == null ? "" : uri.getPath();
        if (!"stead".equals(uri.getScheme()) || uri.getHost() == null || !(path.isEmpty() || path.equals("/"))) {
            throw new IllegalArgumentException("'" + text + "' is not stead://host:port");
        }
        String host = uri.getHost();
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new SteadUri(new ServerAddress(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not stead://host:port: " + e.getMessage(), e);
        }
    }

    /** The URI without a slash at the end. So a caller can append a path. */
    @Override
    public String toString() {
        return "stead://" + server;
    }
}
