package io.steadfs.store.rocks;

import java.nio.file.Path;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/** Reads a whole table file of RocksDB from the disk, and compares each block with its checksum. */
final class SoundTableFile {
    private SoundTableFile() {}

    /**
     * RocksDB's message about the damage, which names the file and the place in the file; empty if the file is
     * undamaged.
     */
    static Optional<String> whatIsWrong(Path file) {
        try (BloomFilter filter = new BloomFilter();
                Options options = new Options();
                SstFileReader reader = new SstFileReader(options.setTableFormatConfig(withFilters(filter)))) {
            reader.open(file.toString());
            reader.verifyChecksum();
            return Optional.empty();
        } catch (RocksDBException e) {
            return Optional.of(file.getFileName() + ": " + e.getMessage());
        }
    }

    /**
     * The options that let RocksDB read filters when it opens the file. Without these options nothing would read the
     * filters, because RocksDB's comparison of checksums skips filters.
     */
    private static BlockBasedTableConfig withFilters(BloomFilter filter) {
        return new BlockBasedTableConfig()
                .setFilterPolicy(filter)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setCacheIndexAndFilterBlocks(false);
    }
}
