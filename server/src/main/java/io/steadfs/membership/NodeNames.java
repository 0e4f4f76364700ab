package io.steadfs.membership;

/** Names of nodes in ZooKeeper that stand for servers and shards. Nodes with other names do not belong there. */
final class NodeNames {
    private NodeNames() {}

    /** @throws IllegalArgumentException naming the text if it is no name of a server's node */
    static ServerId server(String name) {
        return ServerId.parse(name);
    }

    /** @throws IllegalArgumentException naming the text if it is no name of a shard's node */
    static int shard(String name) {
        int number = name.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(name) : FileSystemFormat.MAX_SHARDS;
        if (number >= FileSystemFormat.MAX_SHARDS) {
            throw new IllegalArgumentException("'" + name + "' is no shard, 0 to " + (FileSystemFormat.MAX_SHARDS - 1));
        }
        return number;
    }

    /** @throws MembershipException naming the node if it is no server's */
    static ServerId serverBelow(String parent, String name) throws MembershipException {
        try {
            return server(name);
        } catch (IllegalArgumentException e) {
            throw foreign(parent, name, e);
        }
    }

    /** @throws MembershipException naming the node if it is no shard's */
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
