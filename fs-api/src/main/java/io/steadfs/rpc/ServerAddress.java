package io.steadfs.rpc;

import io.steadfs.hello.PeerName;

/**
 * Address at which a server listens, and the server that the caller expects there. Two addresses are equal if their
 * hosts and ports are equal.
 *
 * @param host host name or literal IP address; surrounding brackets are removed; allowed are letters, digits and
 *     {@code . - _ : % +}, at most 255 characters
 * @param port TCP port, 1 to 65535
 * @param meant server that requests to this address are for; if another server answers at the address, that server gets
 *     no request
 */
public record ServerAddress(String host, int port, PeerName meant) {
    private static final int MOST_HOST_CHARACTERS = 255;

    public ServerAddress {
        while (isBracketed(host)) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("server address without a host");
        }
        if (host.length() > MOST_HOST_CHARACTERS) {
            throw new IllegalArgumentException("a host of " + host.length() + " characters, at most "
                    + MOST_HOST_CHARACTERS + ": '" + host.substring(0, MOST_HOST_CHARACTERS) + "...'");
        }
        if (!host.codePoints().allMatch(ServerAddress::isOfHost)) {
            throw new IllegalArgumentException("'" + host + "' is no host: letters, digits and . - _ : % + are");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " of " + host + " is not in 1..65535");
        }
    }

    /** Makes an address at which any server may answer. */
    public ServerAddress(String host, int port) {
        this(host, port, PeerName.ANYBODY);
    }

    /** Returns an address with the same host and port, for requests to the given server. */
    public ServerAddress of(PeerName whom) {
        return new ServerAddress(host, port, whom);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServerAddress address && port == address.port && host.equals(address.host);
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + port;
    }

    private static boolean isOfHost(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
            default -> Character.isLetterOrDigit(character) || ".-_:%+".indexOf(character) >= 0;
        };
    }

    private static boolean isBracketed(String host) {
        return host.length() >= 2 && host.startsWith("[") && host.endsWith("]");
    }

    /**
     * Reads {@code host:port} or {@code [v6]:port}.
     *
     * @throws IllegalArgumentException if the text has neither form; the message names the text
     */
    public static ServerAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        String host = text.substring(0, colon);
        if (!isBracketed(host) && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("'" + text + "' is not host:port; write [" + host + "]:port");
        }
        return new ServerAddress(host, Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
