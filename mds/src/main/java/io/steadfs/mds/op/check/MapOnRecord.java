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
        entry.setObject(read.handle().value()).setType(FileType.DIRECTORY).setPartition(range(met.directory(), read));
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
        return read.handle().equals(directory)
                ? Optional.empty()
                : Optional.of(entry.setHeld(row.get().hasLock() || read.lock().isPresent())
                        .build());
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

    private static CheckedPartitionRange range(Handle directory, MapEntry entry) {
        return CheckedPartitionRange.newBuilder()
                .setDirectory(directory.value())
                .setNumber(entry.number())
                .setDepth(entry.partition().depth())
                .build();
    }

    /** Sets what a partition's row and this shard's entry for it say. */
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
            Optional<MapEntry> own = DirectoryPartitions.entry(view, handle, row);
            object.setUnmapped(own.filter(each -> !each.isStaged()).isEmpty());
            own.ifPresent(each -> range.setDepth(each.partition().depth()).clearDepthUnknown());
        } catch (IllegalStateException | UncheckedIOException unreadable) {
            // The scan of maps reports the row.
        }
        object.setPartition(range);
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
        if (entries.isEmpty()) {
            return "";
        }
        try {
            var unused = Maps.whole(view, directory);
            return "";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
