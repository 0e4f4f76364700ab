package io.steadfs.store.rocks;

import java.nio.file.Path;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/** Reads a table file of RocksDB whole, from the disk, and compares each of its blocks with its checksum. */
final class SoundTableFile {
    private SoundTableFile() {}

    /** The damage in RocksDB's words, which name the file and the place in it; empty if the file is sound. */
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

    /** Has filters read together with the file. Otherwise nothing would read them: the comparison of checksums skips them. */
    private static BlockBasedTableConfig withFilters(BloomFilter filter) {
        return new BlockBasedTableConfig()
                .setFilterPolicy(filter)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setCacheIndexAndFilterBlocks(false);
    }
}
