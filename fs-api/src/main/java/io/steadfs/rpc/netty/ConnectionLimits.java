package io.steadfs.rpc.netty;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Role;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the connections of a server: in total, from each address and from each user. A refused connection gets the
 * name of the limit that was reached. The limits are for clients. Other servers may have {@value #FOR_SERVERS}
 * connections more, both in total and from an address. So a crowd of clients does not cut servers off from each other,
 * even on the same host. May be used from any thread.
 */
final class ConnectionLimits {
    /**
     * Number of connections above a limit that only servers may have. It holds for the limit in total and for the limit
     * of an address.
     */
    static final int FOR_SERVERS = 64;

    private final NettyOptions options;
    /** Number of connections from each address, including connections whose peer did not yet say who it is. */
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();

    private final Map<InetAddress, Integer> clientsOfAddress = new HashMap<>();
    private final Map<String, Integer> ofUser = new HashMap<>();
    private int open;
    private int clients;

    ConnectionLimits(NettyOptions options) {
        this.options = options;
    }

    /**
     * Counts one more connection from the address, for any kind of peer. If a limit is reached, names the limit and
     * counts nothing.
     */
    synchronized Optional<String> admit(InetAddress address) {
        if (open >= options.serverConnections() + FOR_SERVERS) {
            return Optional.of(tooMany(open, "", options.serverConnections(), NettyOptions.CONNECTIONS.name()));
        }
        int before = ofAddress.getOrDefault(address, 0);
        if (before >= options.addressConnections() + FOR_SERVERS) {
            return Optional.of(tooMany(
                    before,
                    " of " + address.getHostAddress(),
                    options.addressConnections(),
                    NettyOptions.ADDRESS_CONNECTIONS.name()));
        }
        open++;
        ofAddress.put(address, before + 1);
        return Optional.empty();
    }

    /** Counts down: a connection that was admitted by its address has closed. */
    synchronized void left(InetAddress address) {
        open--;
        less(ofAddress, address);
    }

    /**
     * Counts a connection for its user, after the peer said who it is. If a limit is reached, returns why the
     * connection cannot stay.
     */
    synchronized Optional<String> admit(InetAddress address, PeerIdentity peerIdentity) {
        if (peerIdentity.role() == Role.SERVER) {
            return Optional.empty();
        }
        if (clients >= options.serverConnections()) {
            return Optional.of(tooMany(clients, "", options.serverConnections(), NettyOptions.CONNECTIONS.name()));
        }
        int beside = clientsOfAddress.getOrDefault(address, 0);
        if (beside >= options.addressConnections()) {
            return Optional.of(tooMany(
                    beside,
                    " of " + address.getHostAddress(),
                    options.addressConnections(),
                    NettyOptions.ADDRESS_CONNECTIONS.name()));
        }
        int before = ofUser.getOrDefault(peerIdentity.user(), 0);
        if (before >= options.userConnections()) {
            return Optional.of(tooMany(
                    before,
                    " of user '" + peerIdentity.user() + "'",
                    options.userConnections(),
                    NettyOptions.USER_CONNECTIONS.name()));
        }
        clients++;
        clientsOfAddress.put(address, beside + 1);
        ofUser.put(peerIdentity.user(), before + 1);
        return Optional.empty();
    }

    /** Counts down: a connection that was admitted with this identity has closed. */
    synchronized void left(InetAddress address, PeerIdentity peerIdentity) {
        if (peerIdentity.role() != Role.SERVER) {
            clients--;
            less(clientsOfAddress, address);
            less(ofUser, peerIdentity.user());
        }
    }

    private static <T> void less(Map<T, Integer> counts, T key) {
        counts.computeIfPresent(key, (unused, count) -> count > 1 ? count - 1 : null);
    }

    private static String tooMany(int open, String whose, int limit, String key) {
        return open + " connections" + whose + " are open at this server, and " + key + " is " + limit;
    }
}
