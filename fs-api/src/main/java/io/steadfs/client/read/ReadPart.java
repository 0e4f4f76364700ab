package io.steadfs.client.read;

import io.steadfs.checksum.Chunks;
import io.steadfs.layout.Striping;
import java.util.ArrayList;
import java.util.List;

/**
 * The range of one column's datafile that one read request fetches.
 *
 * @param from datafile offset of the first byte
 * @param to datafile offset after the last byte
 */
record ReadPart(int column, long from, long to) {

    /**
     * Splits a range of the file into read requests. Consecutive strips of one column are adjacent in the column's
     * datafile. So each column contributes one range of its datafile. The range of a column is cut at chunk boundaries
     * into requests of at most {@code unitBytes}.
     *
     * @param from file offset of the first byte
     * @param to file offset after the last byte
     * @param unitBytes largest number of bytes in one request; a multiple of the chunk size
     */
    static List<ReadPart> of(Striping striping, long from, long to, int unitBytes) {
        long firstStrip = from / striping.stripSize();
        long lastStrip = (to - 1) / striping.stripSize();
        List<ReadPart> parts = new ArrayList<>();
        for (long strip = firstStrip; strip <= lastStrip && strip < firstStrip + striping.width(); strip++) {
            int column = striping.column(strip * striping.stripSize());
            long columnLast = strip + (lastStrip - strip) / striping.width() * striping.width();
            long begin = striping.datafileOffset(Math.max(from, strip * striping.stripSize()));
            long last = Math.min(to, (columnLast + 1) * striping.stripSize()) - 1;
            long end = striping.datafileOffset(last) + 1;
            while (begin < end) {
                long next = Math.min(end, Chunks.floor(begin) + unitBytes);
                parts.add(new ReadPart(column, begin, next));
                begin = next;
            }
        }
        return parts;
    }
}
