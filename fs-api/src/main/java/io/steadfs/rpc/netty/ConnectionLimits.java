package io.steadfs.rpc.netty;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Role;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the connections of a server: in total, from each address, and of each user. If a connection would exceed a
 * limit, the refusal names the limit. The limits are for clients. Other servers may have {@value #FOR_SERVERS} further
 * connections above the total limit and above the limit of an address. So many clients do not cut servers off from each
 * other, even on the same host. Any thread may call the methods.
 */
final class ConnectionLimits {
    /**
     * Number of connections above the total limit that are reserved for servers. The same number is reserved above the
     * limit of an address.
     */
    static final int FOR_SERVERS = 64;

    private final NettyOptions options;
    /** Number of connections from each address. Connections whose peer is not known yet also count. */
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();

    private final Map<InetAddress, Integer> clientsOfAddress = new HashMap<>();
    private final Map<String, Integer> ofUser = new HashMap<>();
    private int open;
    private int clients;

    ConnectionLimits(NettyOptions options) {
        this.options = options;
    }

    /**
     * Counts a new connection from the address, before its peer is known. If a limit is reached, returns the refusal
     * and counts nothing.
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

    /** Notes that a connection is closed. The connection must have been admitted by its address. */
    synchronized void left(InetAddress address) {
        open--;
        less(ofAddress, address);
    }

    /**
     * Counts an admitted connection for its user, after the peer of the connection is known. If a limit is reached,
     * returns the refusal and counts nothing.
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

    /** Notes that a connection is closed. The connection must have been admitted with this identity. */
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
