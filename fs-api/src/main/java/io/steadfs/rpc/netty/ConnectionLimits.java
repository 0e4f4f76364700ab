package io.steadfs.rpc.netty;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Role;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many connections a server has: in all, of each address and of each user. A connection that is one too many is told which limit it
 * met. The limits are for clients. {@value #FOR_SERVERS} more connections than each limit, in all and of an address, are kept for other servers. So a crowd of clients does not cut servers off from each other, even on the same host. May be used from any
 * thread.
 */
final class ConnectionLimits {
    /** Connections above a limit, in all and of an address, that only servers may have. */
    static final int FOR_SERVERS = 64;

    private final NettyOptions options;
    /** Connections of each address, including those that did not say yet who they are. */
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();

    private final Map<InetAddress, Integer> clientsOfAddress = new HashMap<>();
    private final Map<String, Integer> ofUser = new HashMap<>();
    private int open;
    private int clients;

    ConnectionLimits(NettyOptions options) {
        this.options = options;
    }

    /** Counts one more connection of the address, whoever it is. If a limit is met, says which, and counts nothing. */
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

    /** A connection that was admitted by its address is closed. */
    synchronized void left(InetAddress address) {
        open--;
        less(ofAddress, address);
    }

    /** A connection that was admitted by its address said who it is. Counts it for its user, or says why it cannot stay. */
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

    /** A connection that said this identity and was admitted is closed. */
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
