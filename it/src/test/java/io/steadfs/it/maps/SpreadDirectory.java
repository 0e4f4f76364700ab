package io.steadfs.it.maps;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.it.StoredShards;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A directory on the disks of a cluster that does not run, with partitions 0 to 7 at depth 3 on three shards. The home
 * shard has the partitions 0, 3 and 6, the next one 1, 4 and 7, and the third one 2 and 5.
 */
final class SpreadDirectory {
    static final int PARTITIONS = 8;
    static final int DEPTH = 3;
    /** Sequence number of handles that nobody has. */
    private static final long NOBODYS = 1L << 30;

    private final StoredShards shards;
    private final Handle handle;
    private final String name;
    private final Map<Handle, String> roles = new HashMap<>();

    private SpreadDirectory(StoredShards shards, Handle handle, String name) {
        this.shards = shards;
        this.handle = handle;
        this.name = name;
        roles.put(handle, "D");
        for (int number = 1; number < PARTITIONS; number++) {
            roles.put(partition(number), "P" + number);
        }
    }

    /** The directory of this name in the root. */
    static SpreadDirectory of(StoredShards shards, String name) {
        DirentRow row = Dirents.find(shards.rows(Handle.ROOT), DirentKey.of(Handle.ROOT, name))
                .orElseThrow();
        return new SpreadDirectory(shards, new Handle(row.getHandle()), name);
    }

    Handle handle() {
        return handle;
    }

    /** The entry of the map at the home shard. */
    MapEntry entry(int number) {
        return Maps.get(shards.rows(handle), handle, number).orElseThrow();
    }

    /** The directory that has the names of the partition. */
    Handle partition(int number) {
        return entry(number).handle();
    }

    Overlay home() {
        return shards.rows(handle);
    }

    /** Rows of the shard that has the partition. */
    Overlay at(int number) {
        return shards.rows(partition(number));
    }

    DirectoryRow row(Handle directory) {
        return Directories.find(shards.rows(directory), directory).orElseThrow();
    }

    void setRow(Handle directory, DirectoryRow row) {
        new DirectorySet(directory, row).replay(shards.rows(directory));
    }

    void setEntry(Overlay at, int number, int depth, Handle partition) {
        new MapEntrySet(handle, new MapEntry(new Partition(number, depth, partition), false)).replay(at);
    }

    void removeEntry(Overlay at, int number) {
        new MapEntryGone(handle, number).replay(at);
    }

    void lose(int number) {
        shards.lose(handle, entry(number));
    }

    /** A handle of the shard that has the partition, and that no object has. */
    Handle nobodys(int number) {
        Handle nobodys = Handle.of(partition(number).owner(), 0, NOBODYS + handle.sequence() * PARTITIONS + number);
        roles.put(nobodys, "N");
        return nobodys;
    }

    /** Another directory, on the shard of a partition, that says that it is partition 1. */
    Handle pretender(int at) {
        return made(at, row(partition(1)));
    }

    /** A directory without a name, on the shard of a partition. */
    Handle nobodysDirectory(int at) {
        return made(at, row(partition(1)).toBuilder().clearPartOf().build());
    }

    private Handle made(int at, DirectoryRow row) {
        Handle other = nobodys(at);
        setRow(other, row);
        shards.replay(other, new CountsSet(other, DirectoryCounts.first(1)));
        return other;
    }

    List<DirentKey> someNames(int number) {
        List<DirentKey> names = names(number);
        return names.subList(0, (names.size() + 1) / 2);
    }

    List<DirentKey> fileNames(int number) {
        return names(number).stream()
                .filter(each -> Dirents.find(at(number), each).orElseThrow().getType() == EntryType.ENTRY_FILE)
                .toList();
    }

    List<DirentKey> names(int number) {
        List<DirentKey> names = namesIn(partition(number));
        assertThat(names).as("names in partition %d of %s", number, name).isNotEmpty();
        return names;
    }

    private List<DirentKey> namesIn(Handle directory) {
        List<DirentKey> names = new ArrayList<>();
        byte[] first =
                ByteBuffer.allocate(Long.BYTES).putLong(directory.value()).array();
        byte[] end =
                ByteBuffer.allocate(Long.BYTES).putLong(directory.value() + 1).array();
        try (ReadView.Cursor cursor = shards.rows(directory).scan(ShardTables.DIRENT, first, end)) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                names.add(DirentKey.of(
                        directory,
                        new String(key, 2 * Long.BYTES, key.length - 2 * Long.BYTES, StandardCharsets.UTF_8)));
            }
        }
        return names;
    }

    /** Moves names to another directory, which counts them; the one that had them does not any more. */
    void move(List<DirentKey> names, Handle to) {
        for (DirentKey each : names) {
            copy(each, to);
            shards.replay(each.directory(), new DirentGone(each));
            shards.count(each.directory(), -1);
        }
    }

    void copy(DirentKey each, Handle to) {
        DirentRow row = Dirents.find(shards.rows(each.directory()), each).orElseThrow();
        shards.replay(to, new DirentSet(each.in(to), row));
        shards.count(to, 1);
    }

    /** What a finding says, with words in place of names and handles. */
    String told(String text) {
        String told = text.replaceAll("'[a-z0-9-]+'", "NAME").replace("directory " + Handle.ROOT, "directory ROOT");
        for (Map.Entry<Handle, String> role : roles.entrySet()) {
            told = told.replace(role.getKey().toString(), role.getValue());
        }
        // Names of one object are told in the order of their handles.
        return Arrays.stream(told.split(" and ", -1)).sorted().collect(Collectors.joining(" and "));
    }

    /** Whether a finding is about the directory, one of its partitions, or what damage made of it. */
    boolean isAbout(String object, String other) {
        return roles.keySet().stream()
                .map(Objects::toString)
                .anyMatch(each -> each.equals(object) || each.equals(other));
    }
}
