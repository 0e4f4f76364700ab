package io.steadfs.hadoop;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Shares mounts among callers that never close them. Callers with the same user, cluster and configuration share one mount for as long as something
 * refers to it: file contexts, and their streams and listings. After that the client is closed. There are as many mounts as users times
 * clusters times configurations in use.
 */
final class SharedMounts {
    private static final Map<Key, WeakReference<Mount>> SHARED = new HashMap<>();

    /** Holds the cleaner, whose thread begins with the first mount. Hadoop loads the class around it to list its file systems. */
    private static final class Closing {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private record Key(URI uri, MountUser user, Map<String, String> settings, Connector connector) {}

    private SharedMounts() {}

    static synchronized Mount share(
            URI uri, Configuration conf, Connector connector, FileSystem.@Nullable Statistics statistics)
            throws IOException {
        Key key = new Key(uri, MountUser.current(), conf.getPropsWithPrefix(HadoopSettings.PREFIX), connector);
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
