package io.steadfs.mds.partition;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap;
import io.steadfs.store.Derived;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import io.steadfs.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the maps of directories that have several partitions. The home shard of a directory has the whole map, which is
 * exact. Another shard has the entries of its own partitions.
 */
public final class Maps {
    private static final int BYTES_OF_ENTRY = 100;

    private Maps() {}

    private static final byte[] END = Prefixes.endOfAll();

    private record Question(Handle directory) {}

    /**
     * Entries in the order of their hashes.
     *
     * @param owned those that count; no two of them have the same hash
     * @param staged those of partitions that this shard is prepared for
     */
    private record Known(List<MapEntry> owned, List<MapEntry> staged) implements Derived {
        @Override
        public int sizeBytes() {
            return BYTES_OF_ENTRY * (1 + owned.size() + staged.size());
        }

        static Known of(List<MapEntry> all) {
            return new Known(
                    all.stream().filter(each -> !each.isStaged()).toList(),
                    all.stream().filter(MapEntry::isStaged).toList());
        }
    }

    /**
     * What a shard has of split directories.
     *
     * @param partitions partitions whose names are on the shard
     * @param directories directories of the shard that have several partitions
     */
    public record Count(long partitions, long directories) {}

    /** Counts what the shard has. At most {@code most} entries of maps are looked at; what cannot be read is left out. */
    public static Count count(ReadView view, int shard, int most) {
        long partitions = 0;
        long directories = 0;
        try (ReadView.Cursor cursor = view.scan(ShardTables.MAP, new byte[0], END)) {
            for (int looked = 0; looked < most && cursor.next(); looked++) {
                Optional<MapEntry> entry =
                        MetMapEntry.of(cursor.key(), cursor.value()).entry();
                if (entry.isPresent()
                        && !entry.get().isStaged()
                        && entry.get().handle().shard() == shard) {
                    partitions++;
                    directories += entry.get().number() == 0 ? 1 : 0;
                }
            }
        }
        return new Count(partitions, directories);
    }

    /** All entries that this shard has, of whatever directory. What cannot be read is left out. */
    public static List<MapEntry> all(ReadView view) {
        List<MapEntry> entries = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.MAP, new byte[0], END)) {
            while (cursor.next()) {
                MetMapEntry.of(cursor.key(), cursor.value()).entry().ifPresent(entries::add);
            }
        }
        return entries;
    }

    /** The entries that this shard has, in the order of their hashes, without those of staged partitions. */
    public static List<MapEntry> entries(ReadView view, Handle directory) {
        return known(view, directory).owned();
    }

    /** The entries of partitions that this shard is prepared for, in the order of their hashes. */
    public static List<MapEntry> staged(ReadView view, Handle directory) {
        return known(view, directory).staged();
    }

    /** Writers read a map for each name, and seldom change one: they share what readers keep. */
    private static Known known(ReadView view, Handle directory) {
        Optional<Store> store = view.sameIn(ShardTables.MAP);
        if (store.isEmpty()) {
            return keptOrRead(view, directory);
        }
        try (Store.Snapshot glance = store.get().glance()) {
            if (!glance.keepsDerived()) {
                return Known.of(read(view, directory));
            }
            Optional<Derived> kept = glance.kept(new Question(directory));
            if (kept.isPresent()) {
                return (Known) kept.get();
            }
        }
        try (Store.Snapshot snapshot = store.get().snapshot()) {
            return keptOrRead(snapshot, directory);
        }
    }

    private static Known keptOrRead(ReadView view, Handle directory) {
        if (!view.keepsDerived()) {
            return Known.of(read(view, directory));
        }
        Question question = new Question(directory);
        Optional<Derived> kept = view.kept(question);
        if (kept.isPresent()) {
            return (Known) kept.get();
        }
        Known known = Known.of(read(view, directory));
        Sources sources = new Sources();
        sources.add(ShardTables.MAP, directory.value());
        view.keep(question, known, sources);
        return known;
    }

    private static List<MapEntry> read(ReadView view, Handle directory) {
        List<MapEntry> entries = new ArrayList<>();
        byte[] from = Keys.of(directory.value());
        try (ReadView.Cursor cursor = view.scan(ShardTables.MAP, from, Keys.endOf(from))) {
            while (cursor.next()) {
                entries.add(decode(directory, PartitionKey.numberIn(cursor.key()), cursor.value()));
            }
        }
        entries.sort(Comparator.comparing(each -> each.partition().firstHash(), Long::compareUnsigned));
        return List.copyOf(entries);
    }

    /**
     * The entry of the partition that has names with this hash. If there is none, a staged one that will have them. Empty
     * if this shard has neither.
     */
    public static Optional<MapEntry> find(ReadView view, Handle directory, long hash) {
        Known known = known(view, directory);
        return with(hash, known.owned()).or(() -> with(hash, known.staged()));
    }

    private static Optional<MapEntry> with(long hash, List<MapEntry> entries) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (Long.compareUnsigned(entries.get(middle).partition().firstHash(), hash) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && entries.get(low - 1).partition().has(hash)
                ? Optional.of(entries.get(low - 1))
                : Optional.empty();
    }

    /** The entry with the number; empty if this shard has none. */
    public static Optional<MapEntry> get(ReadView view, Handle directory, int number) {
        return view.get(ShardTables.MAP, PartitionKey.of(directory, number))
                .map(value -> decode(directory, number, value));
    }

    /**
     * The whole map. This shard must be the home shard of the directory.
     *
     * @throws IllegalStateException if the map is damaged; the message names the directory and the hash
     */
    public static PartitionMap whole(ReadView view, Handle directory) {
        try {
            return PartitionMap.of(
                    directory,
                    entries(view, directory).stream().map(MapEntry::partition).toList());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the map is damaged: " + e.getMessage(), e);
        }
    }

    /** What is wrong with a map of these entries, which are all of the directory; empty if nothing is. */
    public static String damage(Handle directory, List<MapEntry> entries) {
        try {
            var unused = PartitionMap.of(
                    directory, entries.stream().map(MapEntry::partition).toList());
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    static MapEntry decode(Handle directory, int partition, byte[] value) {
        try {
            return MapEntry.of(partition, MapRow.parseFrom(value));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "entry of partition " + Integer.toUnsignedString(partition) + " in the map of directory "
                            + directory + " cannot be decoded",
                    e);
        }
    }
}
