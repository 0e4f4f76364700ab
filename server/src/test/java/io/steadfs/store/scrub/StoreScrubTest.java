package io.steadfs.store.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.DamagedFile;
import io.steadfs.wire.proto.ScrubStoreReply;
import io.steadfs.wire.proto.ScrubStoreRequest;
import io.steadfs.wire.proto.UnreadableRows;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real files of RocksDB with damaged blocks: what can be read is met, what cannot is told, whatever the table. */
class StoreScrubTest {
    private static final int ROWS = 20_000;
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    private static final List<Table> TABLES = List.of(new Table("names"), new Table("things"), new Table("empty"));

    @TempDir
    private Path directory = Path.of("");

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number * 3).array();
    }

    private RocksStore open() throws IOException {
        return RocksStore.open(directory.resolve("store"), TABLES, Settings.defaults());
    }

    /** Closed, with all rows in files. */
    private void fill(Random random) throws IOException {
        try (RocksStore store = open();
                Overlay rows = store.overlay()) {
            for (int i = 0; i < ROWS; i++) {
                byte[] value = new byte[40];
                random.nextBytes(value);
                rows.put(TABLES.get(i % 2), key(i), value);
            }
            store.commit(rows, true);
        }
        // Rows are written from the log to files when the store is opened.
        open().close();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("store"))) {
            return all.filter(file -> file.toString().endsWith(".sst")).sorted().toList();
        }
    }

    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(offset);
            int before = open.read();
            open.seek(offset);
            open.write(before ^ 8);
        }
    }

    private static List<ScrubStoreReply> scrub(Store store) {
        List<ScrubStoreReply> replies = new ArrayList<>();
        ScrubStoreRequest next = ScrubStoreRequest.getDefaultInstance();
        boolean more = true;
        while (more) {
            ScrubStoreReply reply = StoreScrub.answer(store, TABLES, next);
            replies.add(reply);
            more = reply.getMore();
            next = ScrubStoreRequest.newBuilder()
                    .setTable(reply.getTable())
                    .setAfter(reply.getAfter())
                    .build();
        }
        return replies;
    }

    @Test
    void soundStoreIsReadToItsEndAndNothingIsTold() throws IOException {
        fill(new Random(1));
        try (RocksStore store = open()) {
            List<ScrubStoreReply> replies = scrub(store);
            assertThat(replies.stream().mapToLong(ScrubStoreReply::getRows).sum())
                    .isEqualTo(ROWS);
            assertThat(replies).allMatch(reply -> reply.getUnreadableCount() + reply.getDamagedCount() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void damagedBlocksHideTheirRowsAndNoOthers(long seed) throws IOException {
        Random random = new Random(seed);
        fill(random);
        int flips = 1 + random.nextInt(5);
        for (int i = 0; i < flips; i++) {
            Path file = files().get(random.nextInt(files().size()));
            // Blocks of rows come first; indexes and filters behind them.
            flip(file, random.nextLong(Files.size(file) * 3 / 4));
        }
        try (RocksStore store = open()) {
            Set<Long> met = new HashSet<>();
            List<SurvivingRows.Gap> gaps = new ArrayList<>();
            int unknown = 0;
            for (Table table : TABLES) {
                List<SurvivingRows.Gap> here = new ArrayList<>();
                SurvivingRows.visit(store.committed(), table, new byte[0], END, new SurvivingRows.Visitor() {
                    @Override
                    public boolean row(byte[] key, byte[] value) {
                        assertThat(met.add(ByteBuffer.wrap(key).getLong() / 3)).isTrue();
                        return true;
                    }

                    @Override
                    public boolean gap(SurvivingRows.Gap gap) {
                        here.add(gap);
                        return true;
                    }
                });
                for (int i = TABLES.indexOf(table); i < ROWS && TABLES.indexOf(table) < 2; i += 2) {
                    byte[] key = key(i);
                    boolean isInGap = here.stream()
                            .anyMatch(gap -> Arrays.compareUnsigned(gap.from(), key) <= 0
                                    && Arrays.compareUnsigned(key, gap.to()) < 0);
                    assertThat(isInGap).as("row %d, seed %d", i, seed).isEqualTo(!met.contains((long) i));
                    unknown += isInGap ? 1 : 0;
                }
                gaps.addAll(here);
            }
            assertThat(gaps).hasSizeBetween(1, flips);
            assertThat(unknown)
                    .as("rows in 8 KiB for each flipped bit, and a neighbour")
                    .isBetween(1, flips * 500);

            List<ScrubStoreReply> replies = scrub(store);
            assertThat(replies.stream()
                            .flatMap(reply -> reply.getUnreadableList().stream())
                            .map(UnreadableRows::getWhy))
                    .hasSize(gaps.size())
                    .allMatch(why -> why.contains(".sst") && why.contains("bin/stead salvage"));
            assertThat(replies.stream()
                            .flatMap(reply -> reply.getDamagedList().stream())
                            .map(DamagedFile::getWhat))
                    .isNotEmpty()
                    .allMatch(what -> what.contains(".sst"));
        }
    }

    /** RocksDB would begin a new database there and delete the files of the old one. */
    @Test
    void storeWithoutItsCurrentFileIsRefusedAndStays() throws IOException {
        fill(new Random(2));
        List<Path> before = files();
        Files.delete(directory.resolve("store").resolve("CURRENT"));
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no file CURRENT")
                .hasMessageContaining("bin/stead salvage");
        assertThat(files()).isEqualTo(before);
    }
}
