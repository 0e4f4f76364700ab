package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;

/**
 * The content of the ephemeral node {@code /alive/<id>} of a running server.
 *
 * @param address the server's address, as host:port
 * @param rack the server's rack; empty if it is unknown
 * @param capacityBytes the size of an IO server's disk; 0 for metadata servers
 * @param freeBytes the free space of an IO server's disk; 0 for metadata servers
 * @param place identifies the machine, the machine's present boot, and the data directory. If another process holds the
 *     directory's lock, the process that wrote this node has ended
 * @param shardVersion the highest {@link FileSystemFormat#shardVersion} whose shards the server counts. A server of an
 *     earlier release counts the first shards only
 */
record AliveNode(
        String address,
        String rack,
        long capacityBytes,
        long freeBytes,
        String place,
        @AddedLater("1") int shardVersion) {
    /** @throws IllegalArgumentException if the address is not host:port; the message names the text */
    AliveNode {
        ServerAddress.parse(address);
    }
}
