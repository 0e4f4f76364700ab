package io.steadfs.mds.op.layout;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.DatafilesListed;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.AttachedColumn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the index entries for datafiles that a decision adds to a metafile. A fenced datafile is refused, because its
 * IO server may be about to reclaim it. A datafile that is already listed is refused, because a datafile belongs to one
 * metafile forever.
 */
public final class IndexedColumns {
    private IndexedColumns() {}

    /** Records for all datafiles of a new metafile. */
    public static List<LogRecord> all(Context context, Handle metafile, LayoutRow layout) throws Refused {
        return more(context, metafile, LayoutRow.getDefaultInstance(), layout);
    }

    /**
     * Records for datafiles from the shard's own leases. Datafiles from the pool need no check, because they are
     * neither fenced nor listed.
     */
    public static List<LogRecord> pooled(Handle metafile, List<AttachedColumn> columns) {
        List<ListedDatafile> listed = columns.stream()
                .map(column -> new ListedDatafile(new Handle(column.getDatafile()), metafile, column.getIndex()))
                .toList();
        return listed.isEmpty() ? List.of() : List.of(new DatafilesListed(listed));
    }

    /** Records for the datafiles that the new layout has and the old layout does not have. */
    public static List<LogRecord> more(Context context, Handle metafile, LayoutRow before, LayoutRow now)
            throws Refused {
        if (now.getDatafilesCount() == 0) {
            return List.of();
        }
        List<ListedDatafile> more = new ArrayList<>();
        Set<Long> met = new HashSet<>(before.getDatafilesList());
        for (int index = 0; index < now.getDatafilesCount(); index++) {
            long datafile = now.getDatafiles(index);
            boolean had = index < before.getDatafilesCount() && before.getDatafiles(index) == datafile;
            if (datafile != 0 && !had) {
                if (!met.add(datafile)) {
                    throw listed(new Handle(datafile), metafile, index, metafile);
                }
                more.add(new ListedDatafile(new Handle(datafile), metafile, index));
            }
        }
        check(context, more);
        return more.isEmpty() ? List.of() : List.of(new DatafilesListed(more));
    }

    private static void check(Context context, List<ListedDatafile> more) throws Refused {
        Optional<Handle> fenced = Fences.firstHeld(
                context.view(), more.stream().map(ListedDatafile::datafile).toList());
        for (ListedDatafile each : more) {
            if (fenced.filter(each.datafile()::equals).isPresent()) {
                throw new Refused(
                        FsError.LEASE_REVOKED,
                        "datafile " + each.datafile() + " for column " + each.index() + " of metafile "
                                + each.metafile() + ": its lease has ended, no file gets it any more");
            }
        }
        for (ListedDatafile each : more) {
            Optional<ListedDatafile> listed = ListedDatafiles.find(context.view(), each.datafile());
            if (listed.isPresent()) {
                throw listed(
                        each.datafile(),
                        each.metafile(),
                        each.index(),
                        listed.get().metafile());
            }
        }
    }

    private static Refused listed(Handle datafile, Handle metafile, int index, Handle by) {
        return new Refused(
                FsError.ALREADY_ATTACHED,
                "datafile " + datafile + " for column " + index + " of metafile " + metafile + " belongs to metafile "
                        + by);
    }
}
