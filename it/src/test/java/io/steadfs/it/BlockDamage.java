package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Bits on the disk under one row of a store that is not open. The store is rewritten first, so that each row has a block of its own. */
public final class BlockDamage {
    /** What RocksDB puts behind a key: sequence number and type. */
    private static final int TAG_BYTES = 8;

    /** Offset of the only entry, and how many there are. */
    private static final int RESTARTS_BYTES = 8;

    private static final int MOST_VARINT_BYTES = 5;

    private final Path store;
    private final List<LiveFileMetaData> files;
    private final Map<Path, byte[]> read = new HashMap<>();

    private BlockDamage(Path store, List<LiveFileMetaData> files) {
        this.store = store;
        this.files = files;
    }

    /** Rewrites all tables, each row in a block of its own and not compressed. */
    public static BlockDamage rewrite(Path store, List<Table> tables) throws IOException {
        RocksDB.loadLibrary();
        try (DBOptions database = new DBOptions();
                ColumnFamilyOptions rows = new ColumnFamilyOptions();
                CompactRangeOptions all = new CompactRangeOptions()) {
            rows.setCompressionType(CompressionType.NO_COMPRESSION)
                    .setDisableAutoCompactions(true)
                    .setLevelCompactionDynamicLevelBytes(true)
                    .setTableFormatConfig(
                            new BlockBasedTableConfig().setBlockSize(1).setBlockRestartInterval(1));
            all.setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce);
            List<ColumnFamilyDescriptor> families = new ArrayList<>();
            families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, rows));
            tables.forEach(table ->
                    families.add(new ColumnFamilyDescriptor(table.name().getBytes(StandardCharsets.UTF_8), rows)));
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (RocksDB open = RocksDB.open(database, store.toString(), families, handles)) {
                for (ColumnFamilyHandle handle : handles) {
                    open.compactRange(handle, null, null, all);
                }
                List<LiveFileMetaData> files = open.getLiveFilesMetaData();
                handles.forEach(ColumnFamilyHandle::close);
                return new BlockDamage(store, files);
            }
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    /** One bit of the row itself. */
    public void flip(Table table, byte[] key, byte[] value) throws IOException {
        at(table, key, value, value.length > 0 ? key.length + TAG_BYTES : 0);
    }

    /** One bit of the checksum of the row's block. */
    public void spoil(Table table, byte[] key, byte[] value) throws IOException {
        at(table, key, value, key.length + TAG_BYTES + value.length + RESTARTS_BYTES + 1);
    }

    /** @param offset from the first byte of the key */
    private void at(Table table, byte[] key, byte[] value, int offset) throws IOException {
        for (LiveFileMetaData file : files) {
            boolean isIn = Arrays.equals(file.columnFamilyName(), table.name().getBytes(StandardCharsets.UTF_8))
                    && Arrays.compareUnsigned(file.smallestKey(), key) <= 0
                    && Arrays.compareUnsigned(key, file.largestKey()) <= 0;
            if (isIn) {
                Path path = store.resolve(file.fileName().substring(1));
                byte[] bytes = read.computeIfAbsent(path, BlockDamage::bytes);
                byte[] begin = beginOfEntry(key, value);
                int entry = indexOf(bytes, begin);
                assertThat(entry).as("%s in %s", table, path).isNotNegative();
                int found = entry + begin.length - key.length;
                try (RandomAccessFile open = new RandomAccessFile(path.toFile(), "rw")) {
                    open.seek(found + offset);
                    open.write(bytes[found + offset] ^ 1);
                }
                return;
            }
        }
        throw new AssertionError("no file of table " + table.name() + " has the row");
    }

    private static byte[] bytes(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@code shared = 0 | bytes of key and tag | bytes of value | key}, the first three as varints. The key alone may also be found by chance: its
     * zeros in the end of a block, and its last bytes in that block's checksum.
     */
    private static byte[] beginOfEntry(byte[] key, byte[] value) {
        ByteBuffer begin =
                ByteBuffer.allocate(key.length + 3 * MOST_VARINT_BYTES).put((byte) 0);
        putVarint(begin, key.length + TAG_BYTES);
        putVarint(begin, value.length);
        begin.put(key);
        return Arrays.copyOf(begin.array(), begin.position());
    }

    private static void putVarint(ByteBuffer bytes, int number) {
        int left = number;
        while (left >= 1 << 7) {
            bytes.put((byte) (left | 1 << 7));
            left >>>= 7;
        }
        bytes.put((byte) left);
    }

    private static int indexOf(byte[] bytes, byte[] key) {
        for (int i = 0; i + key.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + key.length, key, 0, key.length)) {
                return i;
            }
        }
        return -1;
    }
}
