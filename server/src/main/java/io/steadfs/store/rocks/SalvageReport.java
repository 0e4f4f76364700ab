package io.steadfs.store.rocks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Reports which rows a salvage copied from a damaged store, and which rows it could not read. One thread fills the
 * report.
 */
public final class SalvageReport {
    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, Long> rows = new TreeMap<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Lost, String> places = new HashMap<>();

    /** A range of keys of a table whose rows cannot be read. Callers must not change the arrays. */
    public static final class Lost {
        private final String table;
        private final byte[] from;
        private final byte[] to;
        private final String why;
        private final long older;

        Lost(String table, byte[] from, byte[] to, String why, long older) {
            this.table = table;
            this.from = from;
            this.to = to;
            this.why = why;
            this.older = older;
        }

        public String table() {
            return table;
        }

        /** The first key of the range. */
        public byte[] from() {
            return from;
        }

        /** The end of the range, exclusive. */
        public byte[] to() {
            return to;
        }

        /** The number with which the first key begins. The table's keys must begin with a number of eight bytes. */
        public long firstNumber() {
            return ByteBuffer.wrap(Arrays.copyOf(from, Long.BYTES)).getLong();
        }

        /** The greatest number with which a key of the range can begin, unsigned. */
        public long lastNumber() {
            long number = ByteBuffer.wrap(Arrays.copyOf(to, Long.BYTES)).getLong();
            boolean isBehindIt = to.length > Long.BYTES || number == 0;
            return isBehindIt ? number : number - 1;
        }

        /** Names the damaged file and describes the damage. */
        public String why() {
            return why;
        }

        /**
         * The number of rows in the range that were read from other files. Each of these rows may be older than a
         * change that is lost.
         */
        public long older() {
            return older;
        }
    }

    void read(String table, long count) {
        rows.merge(table, count, Long::sum);
    }

    void lost(Lost range) {
        lost.add(range);
    }

    /** Adds a line to the report. If the report has such a line, every table counts as doubtful. */
    public void note(String text) {
        notes.add(text);
    }

    /** Maps each table to the number of its rows in the new store. */
    public Map<String, Long> rows() {
        return Map.copyOf(rows);
    }

    /** The ranges that cannot be read, in no particular order. */
    public List<Lost> lost() {
        return List.copyOf(lost);
    }

    /**
     * Records which objects the rows of a range are about.
     *
     * @param place names the objects for people
     */
    public void tellPlace(Lost range, String place) {
        places.put(range, place);
    }

    /** The names of the objects that the rows of the range are about; empty if nobody recorded such names. */
    public String place(Lost range) {
        return places.getOrDefault(range, "");
    }

    /** The other lines of the report, such as notes about damaged logs, a new MANIFEST, or a lost disk format. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Whether the store has no damage. */
    public boolean isSound() {
        return lost.isEmpty() && notes.isEmpty();
    }

    /** Whether rows of the table are lost, or may be older than a change that is lost. */
    public boolean isDoubtful(String table) {
        return !notes.isEmpty()
                || lost.stream()
                        .anyMatch(each ->
                                each.table().equals(table) || each.table().isEmpty());
    }

    /** The report for people. */
    public String text() {
        return text(UnaryOperator.identity());
    }

    /**
     * The report for people.
     *
     * @param printable replaces characters that must not be printed in names that users chose
     */
    public String text(UnaryOperator<String> printable) {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append(note).append('\n'));
        for (Lost each : lost) {
            text.append("cannot be read: ")
                    .append(each.table().isEmpty() ? "rows of a table that nobody knows" : "table " + each.table())
                    .append(", keys from ")
                    .append(HEX.formatHex(each.from()))
                    .append(" to before ")
                    .append(HEX.formatHex(each.to()))
                    .append(": ")
                    .append(each.why());
            if (each.older() > 0) {
                text.append("; ")
                        .append(each.older())
                        .append(" rows there are from other files, and may be of before a change that is lost");
            }
            if (!place(each).isEmpty()) {
                text.append("; these are ").append(printable.apply(place(each)));
            }
            text.append('\n');
        }
        rows.forEach((table, count) -> text.append(String.format(Locale.ROOT, "%-12s %d rows%n", table, count)));
        return text.toString();
    }
}
