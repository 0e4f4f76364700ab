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
 * Computes the length of a file after the seal of its columns. The result is the larger of two numbers: the recorded
 * length and the length of the longest prefix that the columns hold. For a truncated file, the result is the recorded
 * length alone.
 *
 * <p>A column without a datafile was never written and holds nothing. So the prefix ends at a column without a
 * datafile. A column is damaged if its datafile is lost, or is shorter than the recorded length requires. Nobody knows
 * what a damaged column held. So a damaged column does not end the prefix. The prefix ends at the first hole in the
 * other columns. If a column of a file is damaged, no column of the file is cut. So the damage of one column takes no
 * byte from another column. A reader of a damaged column gets an error.
 *
 * <p>An IO server is unsettled if it may have lost something and no check has settled it yet. If an IO server of the
 * file is unsettled, the result is the greater of the recorded and the flushed length, whatever the columns hold. The
 * flushed length counts although its bytes may not be on stable storage. Bytes beyond both lengths may be bytes that an
 * older truncate removed. If an IO server is unsettled, nothing is cut. A check of the file system reports a column
 * that is too short.
 */
public final class RecoveredLength {
    private static final long UNKNOWN = Long.MAX_VALUE;

    private RecoveredLength() {}

    /** @param sealed the result of the seal, for all datafiles of the metafile */
    public static long of(MetafileRow row, SealedDatafiles sealed) {
        if (row.getCut()) {
            return row.getLength();
        }
        return sealed.unsettled() ? Metafiles.toldLength(row) : Math.max(row.getLength(), held(row, sealed));
    }

    /**
     * The end of the last byte that an undamaged column holds before the first hole. Only holes in undamaged columns
     * count.
     */
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
     * The length of each column; {@link #UNKNOWN} for a damaged column. If a column has copies, its length is that of
     * its shortest undamaged copy, because all undamaged copies can be read that far.
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

    /** The datafiles that are longer than the recovered file requires, each with the length to which it must be cut. */
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
