package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.MetMapEntry;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Describes entries of maps for a check of the file system. At the home shard of a directory, an entry is the name of a
 * partition. Elsewhere it only repeats what the partition's own row says.
 */
final class MapOnRecord {
    private final Context context;

    MapOnRecord(Context context) {
        this.context = context;
    }

    /** The description; empty if the entry is no name and nothing is wrong with it, or if it is about to be cleared. */
    Optional<CheckedEntry> of(byte[] key, byte[] value) {
        MetMapEntry met = MetMapEntry.of(key, value);
        CheckedEntry.Builder entry = CheckedEntry.newBuilder()
                .setDirectory(met.directory().value())
                .setParent(met.directory().value())
                .setUnreadable(met.unreadable())
                .setKey(ByteString.copyFrom(key));
        if (met.entry().isEmpty()) {
            return Optional.of(entry.build());
        }
        MapEntry read = met.entry().get();
        entry.setObject(read.handle().value())
                .setType(FileType.DIRECTORY)
                .setPartition(range(met.directory(), read, List.of()));
        return context.owns(met.directory()) ? ofHome(met.directory(), read, entry) : ofOther(read, entry);
    }

    private Optional<CheckedEntry> ofHome(Handle directory, MapEntry read, CheckedEntry.Builder entry) {
        if (Unread.orElse(true, () -> DeletionQueue.hasTree(context.view(), directory))) {
            return Optional.empty();
        }
        Optional<DirectoryRow> row;
        try {
            row = Directories.find(context.view(), directory);
        } catch (IllegalStateException | UncheckedIOException unreadable) {
            // The scan of objects reports the row.
            return Optional.of(entry.build());
        }
        if (row.isEmpty()) {
            return Optional.of(entry.setMisplaced("its directory is not there").build());
        }
        List<MapEntry> same = same(directory, read);
        if (read.handle().equals(directory) || isAfterAnother(read, same)) {
            return Optional.empty();
        }
        boolean isHeld = row.get().hasLock()
                || same.stream().anyMatch(each -> each.lock().isPresent());
        return Optional.of(
                entry.setHeld(isHeld).setPartition(range(directory, read, same)).build());
    }

    /** The entries that lead to the same directory as this one. */
    private List<MapEntry> same(Handle directory, MapEntry read) {
        try {
            return Maps.entries(context.view(), directory).stream()
                    .filter(each -> each.handle().equals(read.handle()))
                    .toList();
        } catch (IllegalStateException | UncheckedIOException unreadable) {
            // The scan reports the row that cannot be read.
            return List.of(read);
        }
    }

    private static boolean isAfterAnother(MapEntry read, List<MapEntry> same) {
        return same.stream().anyMatch(each -> each.number() < read.number());
    }

    private Optional<CheckedEntry> ofOther(MapEntry read, CheckedEntry.Builder entry) {
        if (!context.owns(read.handle())) {
            return Optional.of(entry.setMisplaced("neither its directory nor its partition is of this shard")
                    .build());
        }
        boolean isThere = Unread.orElse(
                true, () -> Directories.find(context.view(), read.handle()).isPresent());
        return isThere
                ? Optional.empty()
                : Optional.of(entry.setMisplaced("its partition is not there").build());
    }

    /** @param same entries that lead to the same directory */
    private static CheckedPartitionRange range(Handle directory, MapEntry entry, List<MapEntry> same) {
        return CheckedPartitionRange.newBuilder()
                .setDirectory(directory.value())
                .setNumber(entry.number())
                .setDepth(entry.partition().depth())
                .addAllOthers(others(entry.number(), same))
                .build();
    }

    private static List<CheckedPartitionRange.Other> others(int number, List<MapEntry> same) {
        return same.stream()
                .filter(each -> each.number() != number)
                .map(each -> CheckedPartitionRange.Other.newBuilder()
                        .setNumber(each.number())
                        .setDepth(each.partition().depth())
                        .build())
                .toList();
    }

    /** Sets what a partition's row and this shard's entries for it say. */
    static void describe(
            Handle handle, DirectoryRow row, ReadView view, io.steadfs.wire.proto.CheckedObject.Builder object) {
        Handle directory = new Handle(row.getPartOf().getDirectory());
        int number = row.getPartOf().getPartition();
        CheckedPartitionRange.Builder range = CheckedPartitionRange.newBuilder()
                .setDirectory(directory.value())
                .setNumber(number)
                .setDepthUnknown(true);
        object.setParent(directory.value());
        try {
            List<MapEntry> entries = DirectoryPartitions.entries(view, handle, row);
            Optional<MapEntry> own =
                    entries.stream().filter(each -> each.number() == number).findFirst();
            object.setUnmapped(own.filter(each -> !each.isStaged()).isEmpty());
            own.ifPresent(each -> range.setDepth(each.partition().depth()).clearDepthUnknown());
            range.addAllOthers(others(number, entries));
        } catch (IllegalStateException | UncheckedIOException unreadable) {
            // The scan of maps reports the row.
        }
        object.setPartition(range);
    }

    /** Whether a directory is prepared for an operation over several shards, and owns no names yet. */
    static boolean isStaged(Handle directory, DirectoryRow row, ReadView view) {
        return row.getPartOf().getStaged()
                || Unread.orElse(
                        false,
                        () -> DirectoryPartitions.entries(view, directory, row).stream()
                                .anyMatch(MapEntry::isStaged));
    }

    /** What is wrong with the map of a directory of this shard; empty if nothing is. */
    static String damage(Handle directory, DirectoryRow row, ReadView view) {
        List<MapEntry> entries;
        try {
            entries = Maps.entries(view, directory);
        } catch (IllegalStateException | UncheckedIOException unreadable) {
            // The scan of maps reports the row.
            return "";
        }
        if (row.getSplit() == entries.isEmpty()) {
            return row.getSplit() ? "no map, though its row says that it has one" : "a map that its row does not know";
        }
        String damage = entries.isEmpty() ? "" : Maps.damage(directory, entries);
        return damage.isEmpty() ? "" : "a damaged map: " + damage;
    }
}
