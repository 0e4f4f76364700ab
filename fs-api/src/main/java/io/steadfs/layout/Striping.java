package io.steadfs.layout;

/**
 * Where a file's bytes are: strips of equal size dealt to the columns in turn. Strip s is in column {@code s mod width},
 * at offset {@code (s / width) * stripSize} of the column's datafile.
 *
 * @param stripSize bytes of one strip, a multiple of the checksum chunk
 * @param width columns
 */
public record Striping(int stripSize, int width) {
    /** Longest datafile. It is far above any disk, and keeps sums of offsets within a long. */
    public static final long MOST_DATAFILE_BYTES = 1L << 48;

    /** @throws IllegalArgumentException if either is below 1 */
    public Striping {
        if (stripSize < 1 || width < 1) {
            throw new IllegalArgumentException("strip size " + stripSize + ", width " + width);
        }
    }

    public int column(long fileOffset) {
        return (int) (fileOffset / stripSize % width);
    }

    /** Offset within the column's datafile. */
    public long datafileOffset(long fileOffset) {
        return fileOffset / stripSize / width * stripSize + fileOffset % stripSize;
    }

    /** Offset within the file of a byte of a column. */
    public long fileOffset(int column, long datafileOffset) {
        return (datafileOffset / stripSize * width + column) * stripSize + datafileOffset % stripSize;
    }

    /**
     * Longest file: one whose columns are not beyond {@link #MOST_DATAFILE_BYTES}. In each round of strips the first column gets its strip
     * first.
     */
    public long mostFileBytes() {
        return fileOffset(0, MOST_DATAFILE_BYTES);
    }

    /** Bytes from the offset to the end of its strip. */
    public int leftInStrip(long fileOffset) {
        return stripSize - (int) (fileOffset % stripSize);
    }

    /** Length of a column's datafile in a file of so many bytes. */
    public long datafileLength(int column, long fileLength) {
        long strips = fileLength / stripSize;
        long whole = strips / width + (column < strips % width ? 1 : 0);
        return whole * stripSize + (column == strips % width ? fileLength % stripSize : 0);
    }

    /**
     * Length of the file whose columns are so long: the longest prefix without a hole. Bytes of a column after that prefix do not count.
     *
     * @param columnLengths one for each column
     */
    public long fileLength(long[] columnLengths) {
        if (columnLengths.length != width) {
            throw new IllegalArgumentException(columnLengths.length + " lengths for width " + width);
        }
        long prefix = Long.MAX_VALUE;
        for (int column = 0; column < width; column++) {
            prefix = Math.min(prefix, fileOffset(column, columnLengths[column]));
        }
        return prefix;
    }
}
