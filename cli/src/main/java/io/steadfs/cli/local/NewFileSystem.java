package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;

/** Formats a file system for a local cluster. So a user need not run {@code stead format} first. */
final class NewFileSystem {
    private NewFileSystem() {}

    /**
     * Returns the file system in the ZooKeeper that the settings name. If there is no file system, the method formats
     * one with these settings. If the file with the secret is missing, the method creates that file.
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

    /** The numbers of the metadata servers that host shards, or to which shards move. */
    static SortedSet<Integer> hosts(Settings settings) throws IOException {
        SortedSet<Integer> hosts = new TreeSet<>();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            for (ShardsState.Shard shard : ShardsState.read(tree).shards()) {
                shard.host().ifPresent(host -> hosts.add(host.number()));
                shard.movesTo().ifPresent(target -> hosts.add(target.number()));
            }
        }
        return hosts;
    }
}
