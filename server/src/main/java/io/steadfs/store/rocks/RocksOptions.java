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

/** The native options of one store, and their memory. Closed after the database. */
final class RocksOptions implements AutoCloseable {
    private final Deque<AutoCloseable> natives = new ArrayDeque<>();
    final DBOptions database;
    final ColumnFamilyOptions table;
    final WriteOptions synced;
    final WriteOptions unsynced;

    RocksOptions(Settings settings) {
        // One cache for all tables, so that one number bounds the memory of a store; memtables are charged to it too.
        Cache cache = own(new LRUCache(settings.get(RocksStore.CACHE_BYTES)));
        WriteBufferManager memtables = own(new WriteBufferManager(settings.get(RocksStore.MEMTABLE_BYTES), cache));
        database = own(new DBOptions());
        database.setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                // The bound for all tables together. At the bound RocksDB flushes the largest memtable.
                .setWriteBufferManager(memtables)
                // Nothing in a tail that a crash tore was acknowledged as synced. Damage before the tail stops the
                // start.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                // RocksDB's default, and needed. A failed commit may be in the log without having been synced. A
                // store that is opened again shows it, and answers requests from it. The flush makes it durable
                // before that.
                .setAvoidFlushDuringRecovery(false)
                // A table that changes seldom must not keep the write-ahead logs of the other tables for ever.
                .setMaxTotalWalSize(64L << 20)
                // One flush and one compaction at a time are enough for one owner and leave cores to the rest.
                .setMaxBackgroundJobs(2)
                // Bounds file descriptors and the index blocks that open files hold.
                .setMaxOpenFiles(512)
                // Spreads the write-out of large files, so that a sync of the log does not wait behind it.
                .setBytesPerSync(1L << 20)
                // RocksDB's own log is for its developers: little of it, and few old ones.
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                // Statistics are not read by anybody.
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);

        BlockBasedTableConfig blocks = new BlockBasedTableConfig()
                .setBlockCache(cache)
                // Index and filter blocks count against the cache, so that memory does not grow with the data.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                // In parts, of which a look-up reads one each. A whole index or filter grows to megabytes with its
                // file. When a few of them fill the cache, every look-up would read them anew.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(4 << 10)
                .setPinTopLevelIndexAndFilter(true)
                // A look-up of a name that does not exist, as every create does, reads no block.
                .setFilterPolicy(own(new BloomFilter(10)))
                // Rows are small and read in ranges: larger blocks halve the index.
                .setBlockSize(8 << 10);
        table = own(new ColumnFamilyOptions());
        table.setTableFormatConfig(blocks)
                // Small, because there are about ten tables. Two of them, so that writes go on while one is flushed.
                .setWriteBufferSize(8L << 20)
                .setMaxWriteBufferNumber(2)
                // Names and paths shrink to a third at next to no cost.
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                // Level sizes follow the data, so that little space is wasted by old versions of rows.
                .setLevelCompactionDynamicLevelBytes(true);

        synced = own(new WriteOptions());
        synced.setSync(true);
        unsynced = own(new WriteOptions());
    }

    /**
     * For tables that are only read, and may be damaged: without filters, because a damaged filter would prevent its file from being
     * opened.
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
