package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;
import java.util.UUID;

/**
 * The node {@code /servers/<id>}: a server that joined once.
 *
 * @param store identity of its data directory
 * @param firstAddress where it first listened; empty until it did
 */
record ServerNode(UUID store, String firstAddress) {
    /** @throws IllegalArgumentException naming the text that is no address */
    ServerNode {
        if (!firstAddress.isEmpty()) {
            ServerAddress.parse(firstAddress);
        }
    }
}
