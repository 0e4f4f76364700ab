package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

class RocksOptionsTest {
    /** Else what a failed commit left in the log would be read after the next start, and lost with the power after that. */
    @Test
    void whatOpeningFindsInTheLogIsWrittenToTables() {
        RocksDB.loadLibrary();
        try (RocksOptions options = new RocksOptions(Settings.defaults())) {
            assertThat(options.database.avoidFlushDuringRecovery()).isFalse();
        }
    }
}
