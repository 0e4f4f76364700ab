package io.steadfs.membership;

import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * Makes sessions with ZooKeeper and authenticates them by the cluster secret. Each session uses the secret that is
 * current when the session begins.
 */
final class IntroducedSessions implements ZookeeperFactory {
    private final ZookeeperFactory plain = new DefaultZookeeperFactory();
    private final NodeAccess access;

    IntroducedSessions(NodeAccess access) {
        this.access = access;
    }

    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeoutMillis, Watcher watcher, boolean canBeReadOnly) throws Exception {
        ZooKeeper session = plain.newZooKeeper(connectString, sessionTimeoutMillis, watcher, canBeReadOnly);
        access.introduce(session);
        return session;
    }
}
