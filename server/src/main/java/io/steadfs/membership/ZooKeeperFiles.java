package io.steadfs.membership;

import io.steadfs.disk.DurableDirectories;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** The directory of a ZooKeeper server. */
final class ZooKeeperFiles {
    private ZooKeeperFiles() {}

    /** Makes it, with the one below it in which ZooKeeper keeps its log, and which ZooKeeper itself would not sync. */
    static void make(Path directory) throws IOException {
        DurableDirectories.make(directory.resolve(FileTxnSnapLog.version + FileTxnSnapLog.VERSION));
    }
}
