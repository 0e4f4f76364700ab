package io.steadfs.mds.pipeline;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * Says when a {@link ShardWriter} decides.
 *
 * @param windowMicros time that the writer waits for more commands after the first command of a batch; 0 = no wait
 */
public record WriterPacing(long windowMicros) {
    private static final ConfigKey<Long> AGGREGATION_WINDOW = ConfigKey.number(
            "stead.mds.aggregation.window",
            0,
            0,
            1_000_000,
            "microseconds",
            "How long a shard waits for more requests after the first one of a batch; 0 takes what is there.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(AGGREGATION_WINDOW));

    public static WriterPacing from(Settings settings) {
        return new WriterPacing(settings.get(AGGREGATION_WINDOW));
    }
}
