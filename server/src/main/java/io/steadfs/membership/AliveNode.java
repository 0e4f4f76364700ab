package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;

/**
 * The ephemeral node {@code /alive/<id>}: a server that runs.
 *
 * @param address host:port
 * @param rack empty where unknown
 * @param capacityBytes 0 for metadata servers
 * @param freeBytes 0 for metadata servers
 * @param place machine, its start, and data directory; whoever holds the lock of that directory knows that the process
 *     that wrote this has ended
 */
record AliveNode(String address, String rack, long capacityBytes, long freeBytes, String place) {
    /** @throws IllegalArgumentException naming what is no address */
    AliveNode {
        ServerAddress.parse(address);
    }
}
