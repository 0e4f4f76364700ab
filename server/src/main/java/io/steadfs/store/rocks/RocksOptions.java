package io.steadfs.store.rocks;

import io.steadfs.config.Settings;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Holds the native options of one store, and frees their memory. The store closes its options after the database. */
final class RocksOptions implements AutoCloseable {
    private final Deque<AutoCloseable> natives = new ArrayDeque<>();
    final DBOptions database;
    final ColumnFamilyOptions table;
    final WriteOptions synced;
    final WriteOptions unsynced;

    RocksOptions(Settings settings) {
        // All tables share one cache, so that one number bounds the memory of a store. RocksDB charges memtables to the
        // cache too.
        Cache cache = own(new LRUCache(settings.get(RocksStore.CACHE_BYTES)));
        WriteBufferManager memtables = own(new WriteBufferManager(settings.get(RocksStore.MEMTABLE_BYTES), cache));
        database = own(new DBOptions());
        database.setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                // This bound is for the memtables of all tables together. At the bound RocksDB flushes the largest
                // memtable.
                .setWriteBufferManager(memtables)
                // If a crash leaves an incomplete record at the end of the log, nothing in that record was acknowledged
                // as synced. Damage before the end prevents the start.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                // This is RocksDB's default, but it is needed. A failed commit may be in the log without a sync. A
                // store that is opened again shows this commit, and answers requests from it. The flush makes the
                // commit durable before that.
                .setAvoidFlushDuringRecovery(false)
                // A table that changes seldom must not keep the write-ahead logs of other tables for ever.
                .setMaxTotalWalSize(64L << 20)
                // One flush and one compaction at a time are enough for one owner. Other cores stay free.
                .setMaxBackgroundJobs(2)
                // This number bounds the file descriptors and the memory for indexes of open files.
                .setMaxOpenFiles(512)
                // Large files are synced in parts, so that a sync of the log does not wait for a whole file.
                .setBytesPerSync(1L << 20)
                // RocksDB's own message log is for RocksDB's developers. So it is kept short, with few old files.
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                // Nobody reads RocksDB's statistics.
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);

        BlockBasedTableConfig blocks = new BlockBasedTableConfig()
                .setBlockCache(cache)
                // The cache also has index and filter blocks, so that memory does not grow with the data.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                // Indexes and filters are split into parts, and a look-up reads only one part of each. An undivided
                // index or filter grows to megabytes with its file. If a few of them filled the cache, every look-up
                // would read them from the disk again.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(4 << 10)
                .setPinTopLevelIndexAndFilter(true)
                // Filters let a look-up of a missing name read no block. Every create makes such a look-up.
                .setFilterPolicy(own(new BloomFilter(10)))
                // Rows are small and are read in ranges. So larger blocks are right, and they halve the index.
                .setBlockSize(8 << 10);
        table = own(new ColumnFamilyOptions());
        table.setTableFormatConfig(blocks)
                // Memtables are small, because there are about ten tables. Each table may have two of them, so that
                // writes continue during a flush.
                .setWriteBufferSize(8L << 20)
                .setMaxWriteBufferNumber(2)
                // Compression shrinks names and paths to a third at a very low cost.
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                // The sizes of levels follow the amount of data, so that old versions of rows waste little space.
                .setLevelCompactionDynamicLevelBytes(true);

        synced = own(new WriteOptions());
        synced.setSync(true);
        unsynced = own(new WriteOptions());
    }

    /**
     * Options for tables that are only read and may be damaged. Damaged tables are opened without filters, because a
     * damaged filter would prevent the opening of its file.
     */
    ColumnFamilyOptions withoutFilters() {
        ColumnFamilyOptions plain = own(new ColumnFamilyOptions());
        plain.setTableFormatConfig(new BlockBasedTableConfig()).setDisableAutoCompactions(true);
        return plain;
    }

    private <T extends AutoCloseable> T own(T nativeObject) {
        natives.push(nativeObject);
        return nativeObject;
    }

    @Override
    public void close() {
        while (!natives.isEmpty()) {
            RocksStore.closeNative(natives.pop());
        }
    }
}
