package io.steadfs.membership;

/**
 * Parses the names of nodes in ZooKeeper that belong to servers or shards. A node with another name does not belong to
 * the file system.
 */
final class NodeNames {
    private NodeNames() {}

    /**
     * Parses a server's name.
     *
     * @throws IllegalArgumentException if the text is not a server's name; the message names the text
     */
    static ServerId server(String name) {
        return ServerId.parse(name);
    }

    /**
     * Parses a shard's number.
     *
     * @throws IllegalArgumentException if the text is not a shard's number; the message names the text
     */
    static int shard(String name) {
        int number = name.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(name) : FileSystemFormat.MAX_SHARDS;
        if (number >= FileSystemFormat.MAX_SHARDS) {
            throw new IllegalArgumentException("'" + name + "' is no shard, 0 to " + (FileSystemFormat.MAX_SHARDS - 1));
        }
        return number;
    }

    /**
     * Parses the name of a server's node below a parent.
     *
     * @throws MembershipException if the name is not a server's name; the message names the node
     */
    static ServerId serverBelow(String parent, String name) throws MembershipException {
        try {
            return server(name);
        } catch (IllegalArgumentException e) {
            throw foreign(parent, name, e);
        }
    }

    /**
     * Parses the name of a shard's node below a parent.
     *
     * @throws MembershipException if the name is not a shard's number; the message names the node
     */
    static int shardBelow(String parent, String name) throws MembershipException {
        try {
            return shard(name);
        } catch (IllegalArgumentException e) {
            throw foreign(parent, name, e);
        }
    }

    private static UnreadableNodeException foreign(String parent, String name, IllegalArgumentException reason) {
        return new UnreadableNodeException(
                parent + "/" + name + " in ZooKeeper is no node of this file system: " + reason.getMessage(), reason);
    }
}
