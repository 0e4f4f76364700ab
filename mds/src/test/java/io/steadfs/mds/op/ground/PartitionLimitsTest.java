package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionLimitsTest {
    @ParameterizedTest(name = "{0} files on {1} shards: {2} splits")
    @CsvSource({
        "1, 3, 0",
        "8000, 3, 0",
        "8001, 3, 1",
        "16000, 3, 1",
        "16001, 3, 2",
        "60000, 3, 3",
        "1000000, 3, 5",
        "1000000, 12, 7",
        "1000000000000, 12, 7",
        "1000000000000, 1000, 10",
        "1000000, 1, 0",
    })
    void aDirectoryIsSplitAsOftenAsItsFilesNeed(long files, int shards, int splits) {
        assertThat(PartitionLimits.from(Settings.defaults()).splits(files, shards))
                .isEqualTo(splits);
    }
}
