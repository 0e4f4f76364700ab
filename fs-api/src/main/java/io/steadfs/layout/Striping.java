package io.steadfs.layout;

/**
 * Computes which column holds a byte of a file, and at which offset. A file is cut into strips of equal size, which the
 * columns get in turn. Strip s is in column {@code s mod width}, at offset {@code (s / width) * stripSize} of the
 * column's datafile.
 *
 * @param stripSize bytes of one strip, a multiple of the checksum chunk
 * @param width number of columns
 */
public record Striping(int stripSize, int width) {
    /**
     * Largest length of a datafile in bytes. This length is far above the size of any disk. The sum of two such lengths
     * fits into a long.
     */
    public static final long MOST_DATAFILE_BYTES = 1L << 48;

    /** @throws IllegalArgumentException if the strip size or the width is below 1 */
    public Striping {
        if (stripSize < 1 || width < 1) {
            throw new IllegalArgumentException("strip size " + stripSize + ", width " + width);
        }
    }

    public int column(long fileOffset) {
        return (int) (fileOffset / stripSize % width);
    }

    /** Offset within the datafile of the column that holds the file's byte at {@code fileOffset}. */
    public long datafileOffset(long fileOffset) {
        return fileOffset / stripSize / width * stripSize + fileOffset % stripSize;
    }

    /** Offset within the file of the byte that the column's datafile has at {@code datafileOffset}. */
    public long fileOffset(int column, long datafileOffset) {
        return (datafileOffset / stripSize * width + column) * stripSize + datafileOffset % stripSize;
    }

    /**
     * Largest length of a file in bytes. At this length, the first column has {@link #MOST_DATAFILE_BYTES} bytes, and
     * no column has more.
     */
    public long mostFileBytes() {
        return fileOffset(0, MOST_DATAFILE_BYTES);
    }

    /** Number of bytes from the offset to the end of the strip that contains the offset. */
    public int leftInStrip(long fileOffset) {
        return stripSize - (int) (fileOffset % stripSize);
    }

    /** Length of the column's datafile, in bytes, if the file has {@code fileLength} bytes. */
    public long datafileLength(int column, long fileLength) {
        long strips = fileLength / stripSize;
        long whole = strips / width + (column < strips % width ? 1 : 0);
        return whole * stripSize + (column == strips % width ? fileLength % stripSize : 0);
    }

    /**
     * Length of the file in bytes, computed from the lengths of its columns. The file ends at the first byte that is
     * missing. Bytes of a column after that end do not count.
     *
     * @param columnLengths length of each column's datafile, in bytes
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
