package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Damage;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Unindexed;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/** Describes metafiles and directories of this shard for a check of the file system. */
public final class ObjectOnRecord {
    private final ReadView view;
    /** The objects that operations of other shards hold; empty if the slots cannot be read. */
    private final Optional<Set<Handle>> held;

    public ObjectOnRecord(Context context) {
        view = context.view();
        held = held(view);
    }

    private static Optional<Set<Handle>> held(ReadView view) {
        try {
            return Optional.of(HeldObjects.in(view, PreparedSlots.all(view, Integer.MAX_VALUE)));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether an operation over several shards is making, moving or removing the object now. If the slots cannot be
     * read, every object counts as held.
     */
    public boolean isHeld(Handle handle) {
        return held.isEmpty() || held.get().contains(handle);
    }

    /** The lowest handle for an object that this shard makes from now on. */
    static Handle next(Context context) {
        return NewHandles.next(context);
    }

    /** Whether a row exists under the handle, whatever the row contains. */
    public static boolean isThere(ReadView view, Handle handle) {
        return view.get(ShardTables.INODE, Keys.of(handle.value())).isPresent();
    }

    /** The description of the object; empty if no row exists under the handle. */
    public Optional<CheckedObject.Builder> of(Handle handle) {
        try {
            return isThere(view, handle) ? Optional.of(readable(handle)) : Optional.empty();
        } catch (IllegalStateException | UncheckedIOException e) {
            return Optional.of(CheckedObject.newBuilder()
                    .setHandle(handle.value())
                    .setUnreadable(Damage.why(e))
                    .setDamaged(Damage.isOfStore(e))
                    .setKey(ByteString.copyFrom(Keys.of(handle.value()))));
        }
    }

    private CheckedObject.Builder readable(Handle handle) {
        CheckedObject.Builder object = CheckedObject.newBuilder().setHandle(handle.value());
        Optional<DirectoryRow> directory = Directories.find(view, handle);
        if (directory.isPresent()) {
            describe(handle, directory.get(), object);
        } else {
            MetafileRow file = Metafiles.find(view, handle)
                    .orElseThrow(() -> new IllegalStateException(
                            "row of object " + handle + " is neither a metafile's nor a directory's"));
            describe(handle, file, object);
        }
        return object;
    }

    private void describe(Handle handle, DirectoryRow row, CheckedObject.Builder object) {
        object.setType(FileType.DIRECTORY)
                .setParent(row.getParent())
                .setHeld(row.hasLock() || isHeld(handle))
                .setQueued(Unread.orElse(true, () -> DeletionQueue.hasTree(view, handle)))
                .setUnpartitioned(!hasPartition(handle))
                .setXattrs(row.getXattrs());
        if (row.hasPartOf()) {
            MapOnRecord.describe(handle, row, view, object);
        } else if (!row.hasLock() && !object.getQueued()) {
            object.setMapDamage(MapOnRecord.damage(handle, row, view));
        }
        if (row.hasGiving() && !Unread.orElse(true, () -> Givings.isThere(view, handle))) {
            object.setMapDamage("a mark that it gives names, and no row that says which");
        }
        if (MapOnRecord.isStaged(handle, row, view) && !isHeld(handle)) {
            object.setMapDamage("a mark that an operation prepared it, and no such operation");
        }
    }

    private boolean hasPartition(Handle directory) {
        // The scan of partitions reports a partition that cannot be read.
        return Unread.orElse(true, () -> DirectoryCounts.find(view, directory).isPresent());
    }

    private void describe(Handle handle, MetafileRow row, CheckedObject.Builder object) {
        object.setType(FileType.FILE)
                .setUnlinkedSession(row.getUnlinkedSession() == 0 ? 0 : 1)
                .setHeld(isHeld(handle))
                .setLength(row.getLength())
                .setXattrs(row.getXattrs());
        LayoutRow layout = row.getLayout();
        ColumnOnRecord.checkLayout(handle, layout);
        for (int i = 0; i < layout.getDatafilesCount(); i++) {
            Handle datafile = new Handle(layout.getDatafiles(i));
            if (!datafile.isNone() && !isIndexed(datafile, handle, i)) {
                object.addUnindexed(Unindexed.newBuilder().setIndex(i).setDatafile(datafile.value()));
            }
        }
    }

    private boolean isIndexed(Handle datafile, Handle metafile, int index) {
        try {
            return ListedDatafiles.find(view, datafile)
                    .equals(Optional.of(new ListedDatafile(datafile, metafile, index)));
        } catch (UncheckedIOException e) {
            // The scan of the index reports a row that cannot be read.
            return true;
        } catch (IllegalStateException e) {
            var unused = Damage.why(e);
            return false;
        }
    }
}
