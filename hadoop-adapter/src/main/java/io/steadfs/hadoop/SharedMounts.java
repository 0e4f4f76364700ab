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
 * Shares mounts among callers that never close a mount. Callers with the same user, cluster and configuration share one
 * mount. File contexts refer to the mount, and so do their streams and listings. The mount's client is closed once no
 * file context, stream or listing refers to the mount. So the number of mounts is the number of combinations of user,
 * cluster and configuration in use.
 */
final class SharedMounts {
    private static final Map<Key, WeakReference<Mount>> SHARED = new HashMap<>();

    /**
     * Starts the thread of the cleaner only with the first mount. A static field of {@link SharedMounts} would start
     * the thread earlier, because Hadoop loads that class to list its file systems.
     */
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
            // The cleaner's action must not refer to the mount. Such a reference would keep the mount alive for ever.
            Closing.CLEANER.register(mount, mount.client()::close);
        }
        return mount;
    }
}
