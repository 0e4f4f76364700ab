package io.steadfs.mds.pipeline;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * Says how a {@link ShardWriter} divides time between deciding and committing.
 *
 * @param windowMicros time that the writer waits for more commands after the first command of a batch; 0 = no wait
 * @param apartMicros average commit time at which batches of several commands begin to be committed in a thread of
 *     their own. The thread is used until commits take less than half of that time. 0 = always
 */
public record WriterPacing(long windowMicros, long apartMicros) {
    private static final ConfigKey<Long> AGGREGATION_WINDOW = ConfigKey.number(
            "stead.mds.aggregation.window",
            0,
            0,
            1_000_000,
            "microseconds",
            "How long a shard waits for more requests after the first one of a batch; 0 takes what is there.");

    private static final ConfigKey<Long> COMMIT_APART = ConfigKey.number(
            "stead.mds.commit.apart",
            1000,
            0,
            1_000_000_000,
            "microseconds",
            "If a shard's commits, with all that belongs to them, take so long on average, the next batch is decided while one of several"
                    + " requests commits, until they take less than half of it; 0 does so always. To change threads costs more than it"
                    + " gives where commits are short.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(AGGREGATION_WINDOW, COMMIT_APART));

    public static WriterPacing from(Settings settings) {
        return new WriterPacing(settings.get(AGGREGATION_WINDOW), settings.get(COMMIT_APART));
    }
}
