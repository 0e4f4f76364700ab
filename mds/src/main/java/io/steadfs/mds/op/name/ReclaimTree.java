package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.Clearing;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.TreeReclaimed;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Clears a directory that was cut off from the namespace, one limited step at a time. Each step removes some of the
 * entries. The last step also removes the directory. The datafiles of a removed file are queued for removal. A
 * subdirectory becomes a queued tree of its own, so a step never goes deeper than one level. If an object is on another
 * shard, a notice tells that shard that the object lost its name. A rename of another shard may move an object out of
 * the tree. So a name that such a rename holds stays until the rename is finished.
 */
public final class ReclaimTree extends InternalCommand<Clearing> {
    /** After so many records a step ends. A directory with many partitions takes one for each. */
    private static final int MOST_RECORDS = 10_000;

    private static final Principal NOBODY = new Principal("", Set.of(), true, 0);

    private final Handle directory;
    private final int entries;

    /** @param entries greatest number of entries that this step looks at */
    public ReclaimTree(Handle directory, int entries) {
        this.directory = directory;
        this.entries = entries;
    }

    @Override
    public Decision<Clearing> decide(ReadView view, Inputs inputs) {
        if (!DeletionQueue.hasTree(view, directory)) {
            return Decision.of(Clearing.DONE);
        }
        Context context = new Context(NOBODY, view, inputs);
        List<LogRecord> records = new ArrayList<>();
        int met = 0;
        boolean held = false;
        try (DirentScan scan = Dirents.scan(view, directory)) {
            while (met < entries && records.size() < MOST_RECORDS && scan.next()) {
                met++;
                if (scan.row().hasLock()) {
                    held = true;
                } else {
                    remove(scan.name(), scan.row(), context, records);
                }
            }
        }
        if ((met == entries || records.size() >= MOST_RECORDS) && !records.isEmpty()) {
            return new Decision<>(records, Clearing.MORE);
        }
        if (held) {
            return new Decision<>(records, Clearing.HELD);
        }
        removeDirectory(view, records);
        return new Decision<>(records, Clearing.DONE);
    }

    private void remove(String name, DirentRow row, Context context, List<LogRecord> records) {
        records.add(new DirentGone(DirentKey.of(directory, name)));
        NamedObject object = NamedObject.of(row, name);
        if (object.directory()) {
            Removal.cutOff(object.handle(), context, records);
        } else if (!object.isHere(context)
                || Metafiles.find(context.view(), object.handle()).isPresent()) {
            Removal.unlinked(object, context, records);
        }
    }

    private void removeDirectory(ReadView view, List<LogRecord> records) {
        records.add(new CountsGone(directory));
        for (String name : Xattrs.names(view, directory)) {
            records.add(new XattrGone(directory, name));
        }
        Directories.find(view, directory).ifPresent(row -> Removal.map(directory, row, view, records));
        records.add(new DirectoryGone(directory));
        records.add(new TreeReclaimed(directory));
    }
}
