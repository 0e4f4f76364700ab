package io.steadfs.client.read;

import io.steadfs.checksum.Chunks;
import io.steadfs.layout.Striping;
import java.util.ArrayList;
import java.util.List;

/**
 * What one read request fetches: a range of one column's datafile.
 *
 * @param from datafile offset
 * @param to datafile offset after the last byte
 */
record ReadPart(int column, long from, long to) {

    /**
     * Cuts a range of the file into requests. Strips that follow each other in a column are neighbours in its datafile. They make one
     * range, which is cut at multiples of the unit.
     *
     * @param unitBytes of one request at most, whole chunks
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
