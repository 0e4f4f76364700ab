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

/** What a salvage took over from a damaged store, and what it could not take. Filled by one thread. */
public final class SalvageReport {
    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, Long> rows = new TreeMap<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Lost, String> places = new HashMap<>();

    /** A range of keys of a table whose rows cannot be read. The arrays must not be changed. */
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

        /** The first key. */
        public byte[] from() {
            return from;
        }

        /** The key behind the last one. */
        public byte[] to() {
            return to;
        }

        /** The number at the beginning of the first key, in tables whose keys begin with a number of eight bytes. */
        public long firstNumber() {
            return ByteBuffer.wrap(Arrays.copyOf(from, Long.BYTES)).getLong();
        }

        /** The greatest number with which a key of the range can begin; unsigned. */
        public long lastNumber() {
            long number = ByteBuffer.wrap(Arrays.copyOf(to, Long.BYTES)).getLong();
            boolean isBehindIt = to.length > Long.BYTES || number == 0;
            return isBehindIt ? number : number - 1;
        }

        /** Which file is damaged, and how. */
        public String why() {
            return why;
        }

        /** The number of rows in the range that were read from other files. Each of them may be from before a change that is lost. */
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

    /** Adds a line to the report. Every table is doubtful from then on. */
    public void note(String text) {
        notes.add(text);
    }

    /** How many rows each table of the new store has. */
    public Map<String, Long> rows() {
        return Map.copyOf(rows);
    }

    /** The ranges that cannot be read, in no order. */
    public List<Lost> lost() {
        return List.copyOf(lost);
    }

    /** @param place for people, the objects that rows of the range are about */
    public void tellPlace(Lost range, String place) {
        places.put(range, place);
    }

    /** The objects that rows of the range are about; empty if they were not determined. */
    public String place(Lost range) {
        return places.getOrDefault(range, "");
    }

    /** Further notes: damaged logs, a MANIFEST that was made anew, a disk format that was lost. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Whether the store is as it was written. */
    public boolean isSound() {
        return lost.isEmpty() && notes.isEmpty();
    }

    /** Whether rows of the table are lost, or may be from before a change that is lost. */
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

    /** @param printable makes a text printable that may hold names given by users */
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
