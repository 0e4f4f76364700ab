package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;
import java.util.UUID;

/**
 * The content of the node {@code /servers/<id>}, which exists for every server that ever joined.
 *
 * @param store the identity of the server's data directory
 * @param firstAddress the address where the server first listened; empty if the server never listened
 */
record ServerNode(UUID store, String firstAddress) {
    /** @throws IllegalArgumentException if the first address is not host:port; the message names the text */
    ServerNode {
        if (!firstAddress.isEmpty()) {
            ServerAddress.parse(firstAddress);
        }
    }
}
