package io.steadfs.membership;

import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a server may use a data directory. The decision compares the identity in the directory with the node
 * {@code /servers/<id>}:
 *
 * <pre>
 * directory has            node has             answer
 * -----------------------  -------------------  -------------------------------------------------
 * nothing                  nothing              a new server: writes both, the directory first
 * nothing                  store X              refused, unless the operator says that the disk was replaced
 * other file system        any                  refused
 * other server             any                  refused
 * store X                  nothing              writes the node (after a crash, or a loss in ZooKeeper)
 * store X                  store X              accepted
 * store X                  store Y              refused
 * nothing                  unreadable text      refused, unless the operator says that the disk was replaced
 * store X                  unreadable text      writes the node anew
 * </pre>
 */
final class Enrolment {
    private static final Logger LOG = LoggerFactory.getLogger(Enrolment.class);

    private final ZooKeeperTree tree;
    private final FileSystemFormat format;
    private final ServerId server;
    private final DataDirectory directory;

    Enrolment(ZooKeeperTree tree, FileSystemFormat format, ServerId server, DataDirectory directory) {
        this.tree = tree;
        this.format = format;
        this.server = server;
        this.directory = directory;
    }

    /**
     * Registers the server if it is new, and returns the identity of its directory.
     *
     * @param replaceStore whether the operator says that an empty disk replaced the server's disk
     * @throws MembershipException if the server may not use the directory
     */
    StoreIdentity enrol(boolean replaceStore) throws MembershipException {
        Optional<StoreIdentity> found = directory.identity();
        Optional<Versioned<ServerNode>> node;
        try {
            node = tree.read(tree.server(server), ServerNode.class);
        } catch (UnreadableNodeException e) {
            return enrolAnew(found, replaceStore, e);
        }
        if (found.isEmpty()) {
            return enrolEmpty(node, replaceStore);
        }
        StoreIdentity identity = found.get();
        check(identity);
        if (node.isEmpty()) {
            register(identity);
        } else if (!node.get().value().store().equals(identity.store())) {
            throw otherStore(identity, node.get().value());
        }
        return identity;
    }

    /**
     * Writes an unreadable node anew. The identity in the directory shows that the node belongs to this server. If the
     * directory has no identity, the operator must have set {@code replaceStore}.
     */
    private StoreIdentity enrolAnew(Optional<StoreIdentity> found, boolean replaceStore, UnreadableNodeException why)
            throws MembershipException {
        if (found.isEmpty() && !replaceStore) {
            throw new MembershipException(
                    why.getMessage() + "; data directory " + directory
                            + " is empty, so it cannot be told whether it is this server's: mount its disk, or say"
                            + " --replace-store if that is lost",
                    why);
        }
        StoreIdentity identity =
                found.orElseGet(() -> new StoreIdentity(format.fileSystem(), server.toString(), UUID.randomUUID()));
        check(identity);
        directory.setIdentity(identity);
        LOG.warn("{}; it is written anew for store {}", why.getMessage(), identity.store());
        if (!tree.overwrite(tree.server(server), new ServerNode(identity.store(), ""))) {
            throw new MembershipException(tree.server(server) + " was changed while it was written anew", why);
        }
        return identity;
    }

    private void check(StoreIdentity identity) throws MembershipException {
        if (!identity.fileSystem().equals(format.fileSystem())) {
            throw new MembershipException("data directory " + directory + " belongs to file system "
                    + identity.fileSystem() + ", but " + tree + " holds file system " + format.fileSystem());
        }
        if (!identity.server().equals(server.toString())) {
            throw new MembershipException("data directory " + directory + " belongs to server " + identity.server()
                    + ", but this is server " + server);
        }
    }

    private StoreIdentity enrolEmpty(Optional<Versioned<ServerNode>> node, boolean replaceStore)
            throws MembershipException {
        if (node.isPresent() && !replaceStore) {
            throw new MembershipException("data directory " + directory + " is empty, but server " + server
                    + " is registered with store " + node.get().value().store()
                    + "; mount its disk, or say --replace-store if that is lost");
        }
        StoreIdentity identity = new StoreIdentity(format.fileSystem(), server.toString(), UUID.randomUUID());
        directory.setIdentity(identity);
        if (node.isPresent()) {
            ServerNode replaced =
                    new ServerNode(identity.store(), node.get().value().firstAddress());
            tree.replace(tree.server(server), node.get().version(), replaced, ServerNode.class);
        } else {
            try {
                register(identity);
            } catch (MembershipException e) {
                // Another process registered as this server first. So the directory becomes unused again.
                directory.removeIdentity();
                throw e;
            }
        }
        return identity;
    }

    private void register(StoreIdentity identity) throws MembershipException {
        if (tree.create(tree.server(server), new ServerNode(identity.store(), ""))) {
            return;
        }
        ServerNode node = tree.read(tree.server(server), ServerNode.class)
                .orElseThrow(() -> new MembershipException(tree.server(server) + " comes and goes"))
                .value();
        if (!node.store().equals(identity.store())) {
            throw otherStore(identity, node);
        }
    }

    private MembershipException otherStore(StoreIdentity identity, ServerNode node) {
        return new MembershipException("data directory " + directory + " holds store " + identity.store()
                + ", but server " + server + " is registered with store " + node.store());
    }
}
