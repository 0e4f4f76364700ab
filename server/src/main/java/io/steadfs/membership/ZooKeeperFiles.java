package io.steadfs.membership;

import io.steadfs.disk.DurableDirectories;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** Makes the directory of a ZooKeeper server. */
final class ZooKeeperFiles {
    private ZooKeeperFiles() {}

    /**
     * Makes the directory, and the directory below it for ZooKeeper's log. ZooKeeper itself would make these
     * directories, but would not sync their names.
     */
    static void make(Path directory) throws IOException {
        DurableDirectories.make(directory.resolve(FileTxnSnapLog.version + FileTxnSnapLog.VERSION));
    }
}
