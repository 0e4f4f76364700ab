package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds and pacing of a shard's writer, from its configuration. */
class ShardLimitsTest {
    @Test
    void eachKeyIsRead() {
        Settings settings = Settings.of(Map.of(
                "stead.mds.queue.requests", "11",
                "stead.mds.queue.bytes", "2048",
                "stead.mds.batch.requests", "13",
                "stead.mds.batch.bytes", "4096",
                "stead.mds.aggregation.window", "17"));
        assertThat(ShardLimits.from(settings)).isEqualTo(new ShardLimits(11, 2048, 13, 4096));
        assertThat(WriterPacing.from(settings)).isEqualTo(new WriterPacing(17));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1", "1, 0, 1, 1", "1, 1, 0, 1", "1, 1, 1, 0"})
    void aBoundOfNothingIsRefused(int queueCommands, long queueBytes, int batchCommands, long batchBytes) {
        assertThatThrownBy(() -> new ShardLimits(queueCommands, queueBytes, batchCommands, batchBytes))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatCode(() -> new ShardLimits(1, 1, 1, 1)).doesNotThrowAnyException();
    }
}
