package io.steadfs.membership;

import io.steadfs.hello.ClusterSecret;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * The access rights to the nodes of a file system. Everybody may read them, for nothing in them is secret. A session that knows the cluster
 * secret may do everything. The rights use ZooKeeper's scheme {@code digest}, with a password derived from the secret. While there are two
 * secrets, either will do. Nodes above the file system's root are left to their other users.
 */
final class NodeAccess implements ACLProvider {
    private static final String SCHEME = "digest";
    private static final String USER = "steadfs";

    private final String root;
    private final Supplier<ClusterSecret> secret;

    NodeAccess(String root, Supplier<ClusterSecret> secret) {
        this.root = root;
        this.secret = secret;
    }

    /** The present secret; another object once it has changed. */
    ClusterSecret secret() {
        return secret.get();
    }

    /** Authenticates a session. */
    void introduce(ZooKeeper session) {
        for (String password : passwords()) {
            session.addAuthInfo(SCHEME, (USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> passwords() {
        return secret.get().passwords("zookeeper");
    }

    @Override
    public List<ACL> getDefaultAcl() {
        List<ACL> all = new ArrayList<>();
        all.add(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        for (String password : passwords()) {
            try {
                String digest = DigestAuthenticationProvider.generateDigest(USER + ":" + password);
                all.add(new ACL(ZooDefs.Perms.ALL, new Id(SCHEME, digest)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("ZooKeeper's digest cannot be made", e);
            }
        }
        return all;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
        return path.equals(root) || path.startsWith(root + "/") ? getDefaultAcl() : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /** Whether this access list protects a node as it should. */
    boolean isRight(List<ACL> found) {
        return new HashSet<>(found).equals(new HashSet<>(getDefaultAcl()));
    }
}
