package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;

/** Formats a file system, so that a local cluster needs no {@code stead format}. */
final class NewFileSystem {
    private NewFileSystem() {}

    /**
     * The file system in the ZooKeeper of the settings. If there is none, it is formatted by the settings. A missing secret is made as
     * well.
     */
    static FileSystemFormat formatIfNone(Settings settings) throws IOException {
        SecretFile.makeIfMissing(settings.get(SecretFile.FILE));
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            if (!FileSystemFormat.isIn(tree)) {
                FileSystemFormat.fresh(settings, System.getProperty("user.name"), System.currentTimeMillis())
                        .write(tree, false);
            }
            return FileSystemFormat.read(tree);
        }
    }
}
