package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.DatafilesUnlisted;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.metafile.MetafileGone;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.RecoveryDone;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the records that remove an object and everything stored under its handle. The caller must remove the dirent.
 */
public final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

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
        if (!context.owns(directory)) {
            records.add(new NoticeQueued(new Notice(Notice.Kind.CUT_TREE, directory)));
            return;
        }
        records.add(new TreeQueued(directory));
        try {
            Optional<DirectoryRow> row = Directories.find(context.view(), directory);
            if (row.isPresent()) {
                for (Handle partition : DirectoryPartitions.of(new DirectoryNode(directory, row.get()), context)) {
                    cutOff(partition, context, records);
                }
            }
        } catch (IllegalStateException e) {
            // A check of the file system finds partitions that nothing leads to.
            LOG.warn("partitions of {}, which was cut off, stay: {}", directory, e.getMessage());
        }
    }

    /**
     * Removes a directory without entries, and its partitions on this shard. The caller must have checked that none of
     * them has entries.
     */
    public static void emptyDirectory(DirectoryNode directory, Context context, List<LogRecord> records) {
        records.add(new DirectoryGone(directory.handle()));
        xattrs(directory, context.view(), records);
        records.add(new CountsGone(directory.handle()));
        DirectoryPartitions.here(directory, context).forEach(each -> emptyDirectory(each, context, records));
        map(directory.handle(), directory.row(), context.view(), records);
    }

    /** Removes a staged directory with its names, which are no names. No row of it need be there, or be readable. */
    public static void staged(Handle directory, Context context, List<LogRecord> records) {
        try (DirentScan scan = Dirents.scan(context.view(), directory)) {
            while (scan.next()) {
                records.add(new DirentGone(scan.dirent()));
            }
        }
        records.add(new DirectoryGone(directory));
        records.add(new CountsGone(directory));
    }

    /** Removes what this shard has of the map of a directory that goes, or the entries of a partition that goes. */
    public static void map(Handle directory, DirectoryRow row, ReadView view, List<LogRecord> records) {
        if (row.hasGiving()) {
            records.add(GivingGone.kept(directory));
        }
        if (row.hasPartOf()) {
            Handle whole = new Handle(row.getPartOf().getDirectory());
            DirectoryPartitions.entries(view, directory, row)
                    .forEach(entry -> records.add(new MapEntryGone(whole, entry.number())));
        } else if (!DirectoryNode.hasOnePartition(row)) {
            Maps.entries(view, directory).forEach(each -> records.add(new MapEntryGone(directory, each.number())));
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
