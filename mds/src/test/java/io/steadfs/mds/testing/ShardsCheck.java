package io.steadfs.mds.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads what several shards hold when nothing is under way between them, and checks what must hold then: every dirent
 * leads to an object of its type at the shard in its handle, every object of every shard is reached once from the root,
 * no row is locked, entry counts are what a recount says, a directory knows its parent, and names are where maps say.
 */
public final class ShardsCheck {
    private final List<ReadView> views;
    private final SortedMap<String, Handle> paths = new TreeMap<>();
    private final SortedMap<String, Handle> files = new TreeMap<>();
    private final Set<Handle> reached = new HashSet<>();

    private ShardsCheck(List<ReadView> views) {
        this.views = views;
    }

    public static ShardsCheck of(List<ReadView> views) {
        ShardsCheck check = new ShardsCheck(views);
        check.walk();
        check.countObjects();
        views.forEach(CountsCheck::of);
        return check;
    }

    /** All paths below the root, directories with a slash behind. */
    public SortedMap<String, Handle> paths() {
        return paths;
    }

    /** The paths of files: neither of directories nor of symbolic links. */
    public SortedMap<String, Handle> files() {
        return files;
    }

    private ReadView owner(Handle handle) {
        return views.get(handle.shard());
    }

    private void walk() {
        Deque<Map.Entry<Handle, String>> left = new ArrayDeque<>();
        left.add(Map.entry(Handle.ROOT, "/"));
        while (!left.isEmpty()) {
            Map.Entry<Handle, String> next = left.remove();
            Handle directory = next.getKey();
            String path = next.getValue();
            assertThat(reached.add(directory)).as("%s reached once", path).isTrue();
            DirectoryRow row = Directories.find(owner(directory), directory)
                    .orElseThrow(() -> new AssertionError("directory " + path + " is missing: " + directory));
            assertThat(row.hasLock()).as("directory %s is locked", path).isFalse();
            Map<Handle, List<Partition>> byHandle = partitions(directory, row, path).stream()
                    .collect(Collectors.groupingBy(Partition::handle, LinkedHashMap::new, Collectors.toList()));
            byHandle.forEach((names, partitions) -> {
                if (!names.equals(directory)) {
                    checkOwn(directory, names, partitions, path);
                }
                walk(directory, names, partitions, path, left);
            });
        }
    }

    /** The partitions of the directory, of which the map says what their own shards say. */
    private List<Partition> partitions(Handle directory, DirectoryRow row, String path) {
        assertThat(row.hasPartOf()).as("%s is a partition", path).isFalse();
        if (!row.getSplit()) {
            assertThat(Maps.entries(owner(directory), directory))
                    .as("map of %s", path)
                    .isEmpty();
            return List.of(new Partition(0, 0, directory));
        }
        return Maps.whole(owner(directory), directory).partitions();
    }

    /** The directory with the names of some partitions is there, and its shard says the same as the map. */
    private void checkOwn(Handle directory, Handle names, List<Partition> partitions, String path) {
        ReadView owner = owner(names);
        assertThat(reached.add(names))
                .as("directory of %s of %s reached once", partitions, path)
                .isTrue();
        int lowest = partitions.stream().mapToInt(Partition::number).min().orElseThrow();
        assertThat(Directories.find(owner, names)
                        .filter(found -> !found.hasLock())
                        .map(DirectoryRow::getPartOf))
                .as("directory of %s of %s", partitions, path)
                .contains(PartOf.newBuilder()
                        .setDirectory(directory.value())
                        .setPartition(lowest)
                        .build());
        assertThat(Maps.entries(owner, directory).stream()
                        .map(MapEntry::partition)
                        .filter(each -> each.handle().equals(names)))
                .as("own entries of %s", path)
                .isEqualTo(partitions);
    }

    private void walk(
            Handle directory,
            Handle names,
            List<Partition> partitions,
            String path,
            Deque<Map.Entry<Handle, String>> left) {
        long entries = 0;
        try (DirentScan scan = Dirents.scan(owner(names), names)) {
            while (scan.next()) {
                entries++;
                Handle handle = new Handle(scan.row().getHandle());
                assertThat(scan.row().hasLock())
                        .as("%s%s is locked", path, scan.name())
                        .isFalse();
                long hash = scan.dirent().hash();
                assertThat(partitions)
                        .as("%s%s in its partition", path, scan.name())
                        .anyMatch(each -> each.has(hash));
                if (scan.row().getType() == EntryType.ENTRY_DIRECTORY) {
                    left.add(Map.entry(handle, path + scan.name() + "/"));
                    paths.put(path + scan.name() + "/", handle);
                    assertThat(Directories.find(owner(handle), handle).map(DirectoryRow::getParent))
                            .as("parent of %s%s", path, scan.name())
                            .contains(directory.value());
                } else {
                    paths.put(path + scan.name(), handle);
                    if (!scan.row().hasSymlink()) {
                        files.put(path + scan.name(), handle);
                    }
                    assertThat(reached.add(handle))
                            .as("%s%s reached once", path, scan.name())
                            .isTrue();
                    assertThat(Metafiles.find(owner(handle), handle).isPresent())
                            .as("metafile of %s%s", path, scan.name())
                            .isEqualTo(!scan.row().hasSymlink());
                }
            }
        }
        assertThat(DirectoryCounts.find(owner(names), names).map(CountsRow::getEntries))
                .as("entries of %s in %s", path, partitions)
                .contains(entries);
    }

    private void countObjects() {
        for (int shard = 0; shard < views.size(); shard++) {
            try (ReadView.Cursor cursor = views.get(shard).scan(ShardTables.INODE, new byte[0], Keys.of(-1L))) {
                while (cursor.next()) {
                    Handle handle = new Handle(Keys.longAt(cursor.key(), 0));
                    assertThat(reached)
                            .as("objects with a name, on shard %s", shard)
                            .contains(handle);
                }
            }
        }
    }
}
