package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.SealedDatafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The length of a file whose columns were sealed: the longest prefix that they hold, but not less than the length recorded as
 * being on stable storage. For a truncated file it is the recorded length, whatever the columns hold.
 *
 * <p>A column without a datafile was never written and holds nothing, so the prefix ends there. A column is damaged if its
 * datafile is lost, or is shorter than the recorded length says. It is unknown what it held. A damaged column ends no prefix:
 * the file reaches as far as the other columns have bytes without a hole among them. Nothing of a damaged file is cut. So
 * damage of one column takes no byte from another. A reader of the damaged column gets an error.
 *
 * <p>An IO server may have lost something that no check has settled. Then the length that the writer was told as flushed
 * counts as recorded, although it was not yet on stable storage. The file gets this length, whatever its columns hold: what
 * they hold beyond may be bytes that an older truncate removed. Nothing is cut, and a check reports a column that is shorter.
 */
public final class RecoveredLength {
    private static final long UNKNOWN = Long.MAX_VALUE;

    private RecoveredLength() {}

    /** @param sealed all datafiles of the metafile */
    public static long of(MetafileRow row, SealedDatafiles sealed) {
        if (row.getCut()) {
            return row.getLength();
        }
        return sealed.unsettled() ? Metafiles.toldLength(row) : Math.max(row.getLength(), held(row, sealed));
    }

    /** The end of the last byte of an undamaged column that has no hole before it in any undamaged column. */
    private static long held(MetafileRow row, SealedDatafiles sealed) {
        Striping striping = striping(row.getLayout());
        long[] columns = columns(row, sealed);
        long prefix = Long.MAX_VALUE;
        for (int column = 0; column < columns.length; column++) {
            if (columns[column] != UNKNOWN) {
                prefix = Math.min(prefix, striping.fileOffset(column, columns[column]));
            }
        }
        long end = 0;
        for (int column = 0; column < columns.length; column++) {
            if (columns[column] != UNKNOWN) {
                long counted = striping.datafileLength(column, prefix);
                end = counted == 0 ? end : Math.max(end, striping.fileOffset(column, counted - 1) + 1);
            }
        }
        return end;
    }

    /**
     * The lengths of the columns. A column is as long as the shortest of its undamaged copies, because all of them can be
     * read that far.
     */
    private static long[] columns(MetafileRow row, SealedDatafiles sealed) {
        LayoutRow layout = row.getLayout();
        long[] columns = new long[layout.getWidth()];
        Arrays.fill(columns, UNKNOWN);
        for (int i = 0; i < layout.getDatafilesCount(); i++) {
            if (!isDamaged(row, i, sealed)) {
                int column = i % layout.getWidth();
                columns[column] = Math.min(columns[column], length(layout, i, sealed));
            }
        }
        return columns;
    }

    private static boolean isDamaged(MetafileRow row, int index, SealedDatafiles sealed) {
        LayoutRow layout = row.getLayout();
        long recorded = striping(layout).datafileLength(index % layout.getWidth(), row.getLength());
        return sealed.lost().contains(new Handle(layout.getDatafiles(index)))
                || length(layout, index, sealed) < recorded;
    }

    private static long length(LayoutRow layout, int index, SealedDatafiles sealed) {
        return sealed.lengths().getOrDefault(new Handle(layout.getDatafiles(index)), 0L);
    }

    private static Striping striping(LayoutRow layout) {
        return new Striping(layout.getStripSize(), layout.getWidth());
    }

    /** Datafiles that hold more than their column of the recovered file, with the length to which each must be cut. */
    public static Map<Handle, Long> cuts(MetafileRow row, SealedDatafiles sealed) {
        if (!row.getCut() && sealed.unsettled()) {
            return Map.of();
        }
        LayoutRow layout = row.getLayout();
        Map<Handle, Long> cuts = new LinkedHashMap<>();
        long length = of(row, sealed);
        for (int i = 0; i < layout.getDatafilesCount(); i++) {
            if (!row.getCut() && isDamaged(row, i, sealed)) {
                return Map.of();
            }
            long wanted = striping(layout).datafileLength(i % layout.getWidth(), length);
            if (length(layout, i, sealed) > wanted) {
                cuts.put(new Handle(layout.getDatafiles(i)), wanted);
            }
        }
        return cuts;
    }
}
