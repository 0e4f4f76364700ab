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

/** What a salvage took over from a damaged store, and what it could not. Filled by one thread. */
public final class SalvageReport {
    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, Long> rows = new TreeMap<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Lost, String> places = new HashMap<>();

    /** Keys of a table whose rows cannot be read. The arrays are not to be changed. */
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

        /** Behind the last key. */
        public byte[] to() {
            return to;
        }

        /** The number that the first key begins with, in tables whose keys begin with eight bytes of one. */
        public long firstNumber() {
            return ByteBuffer.wrap(Arrays.copyOf(from, Long.BYTES)).getLong();
        }

        /** The number that the last key can begin with; unsigned. */
        public long lastNumber() {
            long number = ByteBuffer.wrap(Arrays.copyOf(to, Long.BYTES)).getLong();
            boolean isBehindIt = to.length > Long.BYTES || number == 0;
            return isBehindIt ? number : number - 1;
        }

        /** Which file, and what is wrong with it. */
        public String why() {
            return why;
        }

        /** Rows with such keys that were read from other files: each may be of before a change that is lost. */
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

    void note(String text) {
        notes.add(text);
    }

    /** How many rows each table has now. */
    public Map<String, Long> rows() {
        return Map.copyOf(rows);
    }

    /** What cannot be read, in no order. */
    public List<Lost> lost() {
        return List.copyOf(lost);
    }

    /** @param place what rows of that range are about, for people */
    public void tellPlace(Lost range, String place) {
        places.put(range, place);
    }

    /** What rows of that range are about; empty where nobody told. */
    public String place(Lost range) {
        return places.getOrDefault(range, "");
    }

    /** What else is to be known: damaged logs, and a MANIFEST that was made anew. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Whether the store is as it was written. */
    public boolean isSound() {
        return lost.isEmpty() && notes.isEmpty();
    }

    /** Whether rows of the table are lost, or may be of before a change that is lost. */
    public boolean isDoubtful(String table) {
        return !notes.isEmpty()
                || lost.stream()
                        .anyMatch(each ->
                                each.table().equals(table) || each.table().isEmpty());
    }

    /** For people. */
    public String text() {
        return text(UnaryOperator.identity());
    }

    /** @param printable of a text that may have names of users in it */
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
