package io.steadfs.rpc;

/**
 * Where a server listens.
 *
 * @param host name or literal address, without brackets
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) {
    public ServerAddress {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("server address without a host");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " of " + host + " is not in 1..65535");
        }
    }

    /**
     * Reads {@code host:port} or {@code [v6]:port}.
     *
     * @throws IllegalArgumentException naming the text if it is neither
     */
    public static ServerAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("'" + text + "' is not host:port; write [" + host + "]:port");
        }
        return new ServerAddress(host, Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
