package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;

/** A local cluster needs no {@code stead format}. */
final class NewFileSystem {
    private NewFileSystem() {}

    /** The file system in the ZooKeeper of the settings, formatted by them if there is none; so with the secret. */
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
