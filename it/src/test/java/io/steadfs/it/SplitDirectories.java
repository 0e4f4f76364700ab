package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.config.Settings;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.NameHash;
import io.steadfs.path.FsPath;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** What tests need of directories with several partitions. */
public final class SplitDirectories {
    private SplitDirectories() {}

    /**
     * Makes a directory that has all its partitions before it has names.
     *
     * @param expectedFiles hint from which the number of partitions follows
     */
    public static void make(SteadFs fs, FsPath path, long expectedFiles) throws IOException {
        fs.mkdirs(path, 0755, false, true);
        spread(fs, path, expectedFiles);
    }

    /** Spreads an empty directory over partitions, as many as so many files need. */
    public static void spread(SteadFs fs, FsPath path, long expectedFiles) throws IOException {
        hint(fs, path, DirectoryHints.EXPECTED_FILES, expectedFiles);
    }

    /** A directory with one partition stays so, however many names it gets. */
    public static void keepOne(SteadFs fs, FsPath path) throws IOException {
        hint(fs, path, DirectoryHints.MAX_SHARDS, 1);
    }

    private static void hint(SteadFs fs, FsPath path, String name, long value) throws IOException {
        fs.setXattr(path, name, Long.toString(value).getBytes(StandardCharsets.UTF_8), true, true);
    }

    /**
     * A name whose hash begins so.
     *
     * @param prefix how the name begins; names with another prefix are other names
     * @param bits number of bits; partitions at this depth have the names whose hashes begin with the same bits
     * @param begin these bits, as a number
     */
    public static String name(String prefix, int bits, int begin) {
        for (int i = 0; ; i++) {
            String name = prefix + i;
            if (NameHash.of(name) >>> (Long.SIZE - bits) == begin) {
                return name;
            }
        }
    }

    /** Number of directories that users see, with the root. */
    public static int directories(SteadFs fs) throws IOException {
        int directories = 1;
        for (Iterator<Entry> all = fs.listTree(FsPath.ROOT, true); all.hasNext(); ) {
            if (all.next().info().directory()) {
                directories++;
            }
        }
        return directories;
    }

    /**
     * Requires that no shard of a cluster that does not run has a map, or a directory that gives names, and that there
     * are as many directories as names lead to, with the root. A partition is such a directory, too.
     *
     * @param cluster the cluster's directory
     * @param directories as {@link #directories} told, when nothing went on behind
     */
    public static void requireNone(Path cluster, int directories) throws IOException {
        assertThat(rows(cluster, ShardTables.MAP)).as("entries of maps").isEmpty();
        assertThat(rows(cluster, ShardTables.GIVING))
                .as("directories that give names")
                .isEmpty();
        assertThat(rows(cluster, ShardTables.PARTITION)).as("directories").hasSize(directories);
    }

    /** Rows of all shards: the shard, then the row's key. */
    private static List<String> rows(Path cluster, Table table) throws IOException {
        List<Path> stores;
        try (Stream<Path> folders = Files.walk(cluster, 2)) {
            stores = folders.filter(each -> each.getFileName().toString().matches("shard-\\d+"))
                    .toList();
        }
        assertThat(stores).isNotEmpty();
        List<String> rows = new ArrayList<>();
        for (Path each : stores) {
            try (Store store = RocksStore.open(each, ShardTables.ALL, Settings.defaults());
                    ReadView.Cursor cursor = store.committed().scan(table, new byte[0], Prefixes.endOfAll())) {
                while (cursor.next()) {
                    rows.add(each.getFileName() + " " + HexFormat.of().formatHex(cursor.key()) + " = "
                            + HexFormat.of().formatHex(cursor.value()));
                }
            }
        }
        return rows;
    }
}
