package io.steadfs.mds.op.check;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.store.Damage;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.ListedColumn;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Describes columns of files for a check of the file system. A description names the datafile of the column and what
 * the metafile says about the datafile.
 */
public final class ColumnOnRecord {
    private ColumnOnRecord() {}

    /**
     * Describes the column to which a row of the index leads. If the metafile does not list the datafile, the
     * description says so. If a row cannot be read, the description says so, too.
     */
    static ListedColumn of(ReadView view, ListedDatafiles.Met met) {
        if (met.listed().isEmpty()) {
            return ListedColumn.newBuilder()
                    .setDatafile(met.datafile().value())
                    .setUnreadable(met.unreadable())
                    .build();
        }
        ListedDatafile listed = met.listed().get();
        ListedColumn.Builder column = column(listed);
        try {
            Optional<MetafileRow> metafile = listing(view, listed);
            metafile.ifPresentOrElse(row -> describe(listed, row, column), () -> column.setAstray(true));
        } catch (IllegalStateException | UncheckedIOException e) {
            column.setUnreadable(Damage.why(e)).setDamaged(Damage.isOfStore(e));
        }
        return column.build();
    }

    /** Describes a column that the metafile has but the index does not have; empty if there is no such column. */
    static Optional<ListedColumn> unindexed(ReadView view, ListedDatafile asked) {
        try {
            if (ListedDatafiles.met(view, asked.datafile())
                    .flatMap(ListedDatafiles.Met::listed)
                    .equals(Optional.of(asked))) {
                return Optional.empty();
            }
            return listing(view, asked).map(row -> {
                ListedColumn.Builder column = column(asked).setUnindexed(true);
                describe(asked, row, column);
                return column.build();
            });
        } catch (IllegalStateException | UncheckedIOException e) {
            return Optional.of(column(asked)
                    .setUnreadable(Damage.why(e))
                    .setDamaged(Damage.isOfStore(e))
                    .build());
        }
    }

    private static ListedColumn.Builder column(ListedDatafile listed) {
        return ListedColumn.newBuilder()
                .setDatafile(listed.datafile().value())
                .setMetafile(listed.metafile().value())
                .setIndex(listed.index());
    }

    /** @throws IllegalStateException if the row under the metafile's handle cannot be read as a metafile */
    private static Optional<MetafileRow> listing(ReadView view, ListedDatafile listed) {
        Optional<MetafileRow> metafile = Metafiles.find(view, listed.metafile());
        if (metafile.isEmpty() && ObjectOnRecord.isThere(view, listed.metafile())) {
            throw new IllegalStateException("row of object " + listed.metafile() + " is no metafile's");
        }
        return metafile.filter(row -> listsAt(row.getLayout(), listed.index(), listed.datafile()));
    }

    private static void describe(ListedDatafile listed, MetafileRow row, ListedColumn.Builder column) {
        checkLayout(listed.metafile(), row.getLayout());
        column.setLeastLength(leastLength(row, listed.index())).setVersion(row.getVersion());
        if (row.getCut()) {
            column.setEnd(recordedLength(row, listed.index()));
        } else if (Metafiles.isOpen(row)) {
            column.setFlushedLength(length(row, listed.index(), Metafiles.toldLength(row)));
        }
    }

    /** @throws IllegalStateException if the layout is impossible for any file */
    public static void checkLayout(Handle metafile, LayoutRow layout) {
        if (layout.getWidth() <= 0
                || layout.getStripSize() <= 0
                || layout.getDatafilesCount() % layout.getWidth() != 0) {
            throw new IllegalStateException("layout of metafile " + metafile + " has " + layout.getDatafilesCount()
                    + " datafiles, width " + Integer.toUnsignedString(layout.getWidth()) + ", strips of "
                    + Integer.toUnsignedString(layout.getStripSize()) + " bytes");
        }
    }

    /** Whether the metafile exists on this shard and lists the datafile at the claimed index. */
    public static boolean isListed(ReadView view, ListedDatafile claim) {
        return listing(view, claim).isPresent();
    }

    public static boolean listsAt(LayoutRow layout, int index, Handle datafile) {
        return index >= 0 && index < layout.getDatafilesCount() && layout.getDatafiles(index) == datafile.value();
    }

    private static long leastLength(MetafileRow row, int index) {
        return Metafiles.isOpen(row) || row.getCut() ? 0 : recordedLength(row, index);
    }

    private static long recordedLength(MetafileRow row, int index) {
        return length(row, index, row.getLength());
    }

    private static long length(MetafileRow row, int index, long fileLength) {
        LayoutRow layout = row.getLayout();
        return new Striping(layout.getStripSize(), layout.getWidth())
                .datafileLength(index % layout.getWidth(), fileLength);
    }
}
