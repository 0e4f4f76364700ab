package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.DatafilesUnlisted;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.metafile.MetafileGone;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.partition.PartitionGone;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.RecoveryDone;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the records that remove an object and everything stored under its handle. The caller must remove the dirent.
 */
public final class Removal {
    private Removal() {}

    /**
     * Removes a file of this shard. The file's datafiles go to the deletion queue. If a session writes or
     * claims the file, its right ends.
     */
    public static void file(FileNode file, ReadView view, List<LogRecord> records) {
        MetafileRow row = file.row();
        records.add(new MetafileGone(file.handle()));
        xattrs(file, view, records);
        List<Handle> datafiles = datafiles(row);
        if (!datafiles.isEmpty()) {
            records.add(new DatafilesUnlisted(datafiles));
            records.add(new DatafilesQueued(file.handle(), datafiles));
        }
        records.addAll(FileWriter.ended(view, file.handle(), row));
        if (row.getRecovering()) {
            records.add(new RecoveryDone(file.handle()));
        }
        if (row.getUnlinkedSession() != 0) {
            records.add(new FileLinked(row.getUnlinkedSession(), file.handle()));
        }
    }

    /**
     * Removes a file or symbolic link that lost its name. If the file is on another shard, a notice tells that shard to
     * remove the file.
     */
    public static void unlinked(NamedObject file, Context context, List<LogRecord> records) {
        if (file.symlink().isPresent()) {
            return; // all of a symbolic link is in the dirent
        }
        if (file.isHere(context)) {
            file(file.fileNode(context), context.view(), records);
        } else {
            records.add(new NoticeQueued(new Notice(Notice.Kind.UNLINKED_FILE, file.handle())));
        }
    }

    /**
     * Queues a directory that lost its name, so that the directory is cleared with everything below it. If the
     * directory is on another shard, a notice tells that shard to queue the directory.
     */
    public static void cutOff(Handle directory, Context context, List<LogRecord> records) {
        records.add(
                context.owns(directory)
                        ? new TreeQueued(directory)
                        : new NoticeQueued(new Notice(Notice.Kind.CUT_TREE, directory)));
    }

    /** Removes a directory without entries. The caller must have checked that the directory has no entries. */
    public static void emptyDirectory(DirectoryNode directory, ReadView view, List<LogRecord> records) {
        records.add(new DirectoryGone(directory.handle()));
        xattrs(directory, view, records);
        if (DirectoryNode.hasOnePartition(directory.row())) {
            records.add(new PartitionGone(directory.handle(), 0));
        } else {
            Partitions.forEach(
                    view,
                    directory.handle(),
                    (row, number) -> records.add(new PartitionGone(directory.handle(), number)));
        }
    }

    private static void xattrs(Node node, ReadView view, List<LogRecord> records) {
        if (node.xattrs() > 0) {
            for (String name : Xattrs.names(view, node.handle())) {
                records.add(new XattrGone(node.handle(), name));
            }
        }
    }

    private static List<Handle> datafiles(MetafileRow row) {
        List<Handle> datafiles = new ArrayList<>();
        for (int i = 0; i < row.getLayout().getDatafilesCount(); i++) {
            long datafile = row.getLayout().getDatafiles(i);
            if (datafile != 0) {
                datafiles.add(new Handle(datafile));
            }
        }
        return datafiles;
    }
}
