package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;

/**
 * The ephemeral node {@code /alive/<id>} of a running server.
 *
 * @param address host:port
 * @param rack empty where unknown
 * @param capacityBytes 0 for metadata servers
 * @param freeBytes 0 for metadata servers
 * @param place machine, boot of the machine, and data directory. A process that holds the lock of that directory knows that the process
 *     that wrote this node has ended
 */
record AliveNode(String address, String rack, long capacityBytes, long freeBytes, String place) {
    /** @throws IllegalArgumentException naming the text that is no address */
    AliveNode {
        ServerAddress.parse(address);
    }
}
