package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentPosition;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Walks through everything below a directory, depth first. Each directory comes before its contents. The names of a
 * directory come in hash order. Memory grows only with the depth, because only one scan is open at a time. After the
 * last entry of a directory, the walk opens a new scan of the parent, behind the directory's name. The caller must call
 * {@link #next} before reading the first entry, and must close the walk. Of a directory with several partitions, the
 * walk visits those of this shard.
 */
public final class TreeWalk implements AutoCloseable {
    private final ReadView view;
    private final List<Level> levels = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private DirentScan scan;
    private boolean atEntry;

    /** A directory into which the walk went. */
    private static final class Level {
        private final Handle directory;
        /** Its partitions that are here, in the order of their hashes. */
        private final List<Partition> parts;

        private int part;

        Level(Handle directory, List<Partition> parts) {
            this.directory = directory;
            this.parts = parts;
        }

        static Level of(DirectoryNode directory, ReadView view) {
            return new Level(
                    directory.handle(),
                    DirectoryNode.hasOnePartition(directory.row())
                            ? List.of(new Partition(0, 0, directory.handle()))
                            : Maps.entries(view, directory.handle()).stream()
                                    .map(MapEntry::partition)
                                    .filter(each -> each.handle().shard()
                                            == directory.handle().shard())
                                    .toList());
        }

        Partition present() {
            return parts.get(part);
        }

        DirentPosition beforePart() {
            return DirentPosition.before(present().firstHash());
        }
    }

    public TreeWalk(ReadView view, DirectoryNode top) {
        this(view, Level.of(top, view));
    }

    private TreeWalk(ReadView view, Level top) {
        this(view, top, top.beforePart());
    }

    private TreeWalk(ReadView view, Level top, DirentPosition after) {
        this.view = view;
        levels.add(top);
        scan = scan(after);
    }

    /**
     * A walk through one partition of a directory, and all below it.
     *
     * @param firstHash names of the partition with lower hashes are left out, as an unsigned number
     */
    public static TreeWalk ofPartition(ReadView view, Partition partition, long firstHash) {
        return new TreeWalk(view, new Level(partition.handle(), List.of(partition)), DirentPosition.before(firstHash));
    }

    /**
     * Enters the directory of the present entry, before the directory's first entry. After the directory's last entry,
     * {@link #next} goes on behind the entry of the directory.
     */
    public void enter(DirectoryNode directory) {
        resumeIn(entryName(), directory);
    }

    /** Goes on in the present directory behind the name. The name need not exist. */
    public void skipBehind(String name) {
        Level level = level();
        if (level.parts.size() > 1) {
            level.part = partOf(name, level);
        }
        open(DirentPosition.after(name));
    }

    /** The part that has the name. All parts of its directory are here. */
    private int partOf(String name, Level level) {
        long hash = NameHash.of(name);
        return IntStream.range(0, level.parts.size())
                .filter(part -> level.parts.get(part).has(hash))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "'" + name + "' of directory " + level.directory + " is in a partition of another shard"));
    }

    /** Enters the directory with this name, as if {@link #next} had found the name. */
    public void resumeIn(String name, DirectoryNode directory) {
        names.add(name);
        levels.add(Level.of(directory, view));
        open(level().beforePart());
    }

    public boolean next() {
        while (!scan.next()) {
            Level level = level();
            if (level.part < level.parts.size() - 1) {
                level.part++;
                open(level.beforePart());
            } else if (names.isEmpty()) {
                atEntry = false;
                return false;
            } else {
                levels.remove(levels.size() - 1);
                skipBehind(names.remove(names.size() - 1));
            }
        }
        atEntry = true;
        return true;
    }

    /** The directory or partition that has the present entry. */
    public Handle directory() {
        return level().present().handle();
    }

    private Level level() {
        return levels.get(levels.size() - 1);
    }

    /** The name of the present entry. */
    public String entryName() {
        if (!atEntry) {
            throw new IllegalStateException("the walk is at no entry");
        }
        return scan.name();
    }

    public DirentRow entry() {
        return scan.row();
    }

    /** The names from the top directory to the present entry, joined by '/'. */
    public String path() {
        return names.isEmpty() ? entryName() : String.join("/", names) + "/" + entryName();
    }

    private void open(DirentPosition after) {
        scan.close();
        atEntry = false;
        scan = scan(after);
    }

    private DirentScan scan(DirentPosition after) {
        return Dirents.scan(view, directory(), after, level().present().lastHash());
    }

    @Override
    public void close() {
        scan.close();
    }
}
