package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.deletion.TreeReclaimed;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.MetafileGone;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.partition.PartitionGone;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.RecoveryDone;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One bounded step of clearing a directory that was cut off from the namespace: some of its entries, and after the last
 * of them the directory itself. A file goes with its datafiles queued for removal; a subdirectory becomes a queued tree
 * of its own, so that no step is deeper than one level. Answers whether the directory needs another step.
 */
public final class ReclaimTree extends InternalCommand<Boolean> {
    private final Handle directory;
    private final int entries;

    /** @param entries at most in this step */
    public ReclaimTree(Handle directory, int entries) {
        this.directory = directory;
        this.entries = entries;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        if (!DeletionQueue.hasTree(view, directory)) {
            return Decision.of(false);
        }
        List<LogRecord> records = new ArrayList<>();
        int met = 0;
        try (DirentScan scan = Dirents.scan(view, directory)) {
            while (met < entries && scan.next()) {
                met++;
                Handle handle = new Handle(scan.row().getHandle());
                records.add(new DirentGone(DirentKey.of(directory, scan.name())));
                if (scan.row().getType() == EntryType.ENTRY_DIRECTORY) {
                    records.add(new TreeQueued(handle));
                } else {
                    removeFile(view, handle, records);
                }
            }
        }
        if (met == entries) {
            return new Decision<>(records, true);
        }
        removeDirectory(view, records);
        return new Decision<>(records, false);
    }

    private static void removeFile(ReadView view, Handle file, List<LogRecord> records) {
        Optional<MetafileRow> found = Metafiles.find(view, file);
        if (found.isEmpty()) {
            return;
        }
        MetafileRow row = found.get();
        List<Handle> datafiles = new ArrayList<>();
        for (long datafile : row.getLayout().getDatafilesList()) {
            if (datafile != 0) {
                datafiles.add(new Handle(datafile));
            }
        }
        if (!datafiles.isEmpty()) {
            records.add(new DatafilesQueued(file, datafiles));
        }
        removeXattrs(view, file, row.getXattrs(), records);
        if (row.getWriterSession() != 0) {
            records.add(new FileReleased(row.getWriterSession(), file));
        }
        if (row.getRecovering()) {
            records.add(new RecoveryDone(file));
        }
        records.add(new MetafileGone(file));
    }

    private void removeDirectory(ReadView view, List<LogRecord> records) {
        Partitions.forEach(view, directory, (row, partition) -> records.add(new PartitionGone(directory, partition)));
        removeXattrs(view, directory, 1, records);
        records.add(new DirectoryGone(directory));
        records.add(new TreeReclaimed(directory));
    }

    /** @param count 0 saves the look */
    private static void removeXattrs(ReadView view, Handle object, int count, List<LogRecord> records) {
        if (count > 0) {
            for (String name : Xattrs.names(view, object)) {
                records.add(new XattrGone(object, name));
            }
        }
    }
}
