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
 * Gives the access rights to the nodes of a file system in ZooKeeper. Everybody may read the nodes, because no node has
 * a secret. A session that knows the cluster secret may do everything. Nodes above the file system's root stay open to
 * everybody.
 *
 * <p>The rights use ZooKeeper's scheme {@code digest}, with a password derived from the cluster secret. While there are
 * two cluster secrets, both passwords are valid.
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

    /** The present secret. After a change of the secret, this method returns another object. */
    ClusterSecret secret() {
        return secret.get();
    }

    /** Authenticates a session by the present secret. */
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

    /** Whether this access list protects a node exactly as {@link #getDefaultAcl} does. */
    boolean isRight(List<ACL> found) {
        return new HashSet<>(found).equals(new HashSet<>(getDefaultAcl()));
    }
}
