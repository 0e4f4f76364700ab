package io.steadfs.hadoop;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Mounts for callers that never close them. Callers with the same user, cluster and configuration share one mount for as long as something
 * refers to it: file contexts, and their streams and listings. After that its client is closed. There are as many mounts as users times
 * clusters times configurations in use.
 */
final class SharedMounts {
    private static final Map<Key, WeakReference<Mount>> SHARED = new HashMap<>();

    /** A holder class: the cleaner's thread is made with the first mount, not when Hadoop lists the file systems that it could use. */
    private static final class Closing {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private record Key(URI uri, String user, Set<String> groups, Map<String, String> settings, Connector connector) {}

    private SharedMounts() {}

    static synchronized Mount share(
            URI uri, Configuration conf, Connector connector, FileSystem.@Nullable Statistics statistics)
            throws IOException {
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        Key key = new Key(
                uri,
                caller.getShortUserName(),
                Set.copyOf(caller.getGroupsSet()),
                conf.getPropsWithPrefix(HadoopSettings.PREFIX),
                connector);
        WeakReference<Mount> reference = SHARED.get(key);
        Mount mount = reference == null ? null : reference.get();
        if (mount == null) {
            SHARED.values().removeIf(other -> other.get() == null);
            mount = new Mount(uri, conf, connector, statistics);
            SHARED.put(key, new WeakReference<>(mount));
            // The action that closes the client must not refer to the mount, or the mount would always be referred to.
            Closing.CLEANER.register(mount, mount.client()::close);
        }
        return mount;
    }
}
