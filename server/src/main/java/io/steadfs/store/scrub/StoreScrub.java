package io.steadfs.store.scrub;

import com.google.protobuf.ByteString;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreFile;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.DamagedFile;
import io.steadfs.wire.proto.ScrubStoreReply;
import io.steadfs.wire.proto.ScrubStoreRequest;
import io.steadfs.wire.proto.UnreadableRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole store, step by step. First the scrub reads all rows of all tables, as readers do. After that it reads
 * all files from the disk, because blocks in memory may hide damage on the disk. The scrub checks only whether rows can
 * be read, not their content.
 */
public final class StoreScrub {
    /** A step ends after about this many rows. */
    public static final int MOST_ROWS = 20_000;

    public static final long MOST_BYTES = 16L << 20;

    /** A step ends at the first row after this many gaps. The next step finds further gaps. */
    public static final int MOST_GAPS = 64;

    private static final byte[] END = Prefixes.endOfAll();

    private StoreScrub() {}

    /** The place where a step begins. */
    public static final class Place {
        private final int table;
        private final byte[] after;

        /**
         * @param table the table's place in the list of the store's tables. If the place is the number of tables, the
         *     step reads files
         * @param after the last key that was read, or the name of the last file as UTF-8; empty = from the beginning
         */
        public Place(int table, byte[] after) {
            this.table = table;
            this.after = after;
        }

        public int table() {
            return table;
        }

        /** The last key or file name. Callers must not change the array. */
        public byte[] after() {
            return after;
        }
    }

    /** A gap in a table, where rows cannot be read. */
    public record Met(Table table, SurvivingRows.Gap gap) {}

    /**
     * The result of a step.
     *
     * @param next the place of the next step; empty if everything was read
     */
    public record Step(Optional<Place> next, long rows, long bytes, List<Met> gaps, List<StoreFile> damaged) {
        public Step {
            gaps = List.copyOf(gaps);
            damaged = List.copyOf(damaged);
        }
    }

    /**
     * Reads the next step.
     *
     * @param tables all tables of the store, in order
     */
    public static Step step(Store store, List<Table> tables, Place place) {
        return place.table() < tables.size()
                ? rows(store.committed(), tables, place)
                : files(store, tables.size(), place);
    }

    /** The reply to SCRUB_STORE. @throws IllegalArgumentException if the store does not have the requested table */
    public static ScrubStoreReply answer(Store store, List<Table> tables, ScrubStoreRequest request) {
        if (request.getTable() < 0 || request.getTable() > tables.size()) {
            throw new IllegalArgumentException("table " + Integer.toUnsignedString(request.getTable())
                    + " of a store of " + tables.size() + " tables");
        }
        if (!request.getOnly().isEmpty()) {
            return answer(store, only(tables, request.getOnly()), request.getAfter());
        }
        return reply(step(
                store, tables, new Place(request.getTable(), request.getAfter().toByteArray())));
    }

    private static Table only(List<Table> tables, String name) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("a store has no table '" + name + "'"));
    }

    private static ScrubStoreReply answer(Store store, Table table, ByteString after) {
        Step step = rows(store.committed(), List.of(table), new Place(0, after.toByteArray()));
        boolean isRead = step.next().filter(next -> next.table() == 0).isEmpty();
        return reply(isRead ? new Step(Optional.empty(), step.rows(), step.bytes(), step.gaps(), List.of()) : step);
    }

    private static ScrubStoreReply reply(Step step) {
        ScrubStoreReply.Builder reply = ScrubStoreReply.newBuilder()
                .setMore(step.next().isPresent())
                .setRows(step.rows())
                .setBytes(step.bytes());
        step.next().ifPresent(next -> reply.setTable(next.table()).setAfter(ByteString.copyFrom(next.after())));
        step.gaps().forEach(met -> reply.addUnreadable(rows(met)));
        step.damaged().forEach(file -> reply.addDamaged(file(file)));
        return reply.build();
    }

    private static UnreadableRows rows(Met met) {
        byte[] to = met.gap().to();
        return UnreadableRows.newBuilder()
                .setTable(met.table().name())
                .setFrom(ByteString.copyFrom(met.gap().from()))
                .setTo(Arrays.equals(to, END) ? ByteString.EMPTY : ByteString.copyFrom(to))
                .setWhy(met.gap().why())
                .build();
    }

    private static DamagedFile file(StoreFile file) {
        return DamagedFile.newBuilder()
                .setName(file.name())
                .setTable(file.table())
                .setFirst(ByteString.copyFrom(file.first()))
                .setLast(ByteString.copyFrom(file.last()))
                .setWhat(file.what())
                .build();
    }

    private static Step rows(ReadView view, List<Table> tables, Place place) {
        Table table = tables.get(place.table());
        Rows rows = new Rows(table);
        byte[] after = place.after();
        SurvivingRows.visit(view, table, after.length == 0 ? after : Arrays.copyOf(after, after.length + 1), END, rows);
        Place next = rows.full ? new Place(place.table(), rows.last) : new Place(place.table() + 1, new byte[0]);
        return new Step(Optional.of(next), rows.count, rows.bytes, rows.gaps, List.of());
    }

    private static final class Rows implements SurvivingRows.Visitor {
        private final Table table;
        private final List<Met> gaps = new ArrayList<>();
        private byte[] last = new byte[0];
        private long count;
        private long bytes;
        private boolean full;

        Rows(Table table) {
            this.table = table;
        }

        @Override
        public boolean row(byte[] key, byte[] value) {
            count++;
            bytes += key.length + value.length;
            last = key;
            full = count >= MOST_ROWS || bytes >= MOST_BYTES || gaps.size() >= MOST_GAPS;
            return !full;
        }

        @Override
        public boolean gap(SurvivingRows.Gap gap) {
            gaps.add(new Met(table, gap));
            return true;
        }
    }

    private static Step files(Store store, int tables, Place place) {
        List<StoreFile> damaged = new ArrayList<>();
        long bytes = 0;
        String after = new String(place.after(), StandardCharsets.UTF_8);
        for (StoreFile file : store.files()) {
            if (file.name().compareTo(after) <= 0) {
                continue;
            }
            store.damageOf(file).ifPresent(damaged::add);
            bytes += file.bytes();
            if (bytes >= MOST_BYTES) {
                return new Step(
                        Optional.of(new Place(tables, file.name().getBytes(StandardCharsets.UTF_8))),
                        0,
                        bytes,
                        List.of(),
                        damaged);
            }
        }
        return new Step(Optional.empty(), 0, bytes, List.of(), damaged);
    }
}
