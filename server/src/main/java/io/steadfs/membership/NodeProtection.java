package io.steadfs.membership;

import io.steadfs.hello.ClusterSecret;
import io.steadfs.secret.SecretFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protects the nodes in ZooKeeper by the cluster secret. If the secret changes, protects the nodes by the new secret.
 * Used by one thread.
 */
final class NodeProtection {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProtection.class);

    private final ServerId server;
    private final ZooKeeperTree tree;
    private final SecretFile secret;
    /** The secret that protects the nodes now. */
    private ClusterSecret followed;

    NodeProtection(ServerId server, ZooKeeperTree tree, SecretFile secret) {
        this.server = server;
        this.tree = tree;
        this.secret = secret;
        this.followed = tree.secret();
    }

    /** Protects the nodes that are not protected yet. */
    static void protect(ZooKeeperTree tree) throws MembershipException {
        int changed = tree.protect();
        if (changed > 0) {
            LOG.info("{} node(s) of {} can now be changed only with the cluster secret", changed, tree);
        }
    }

    /** If the secret was changed, protects the nodes by the new secret. */
    void follow() {
        ClusterSecret now = secret.get();
        if (now == followed || !tree.isConnected()) {
            return;
        }
        try {
            tree.introduceAgain();
            protect(tree);
            followed = now;
        } catch (MembershipException e) {
            LOG.warn("{} does not protect the nodes by the changed cluster secret yet: {}", server, e.getMessage());
        }
    }
}
