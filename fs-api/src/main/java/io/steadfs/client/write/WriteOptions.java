package io.steadfs.client.write;

import io.steadfs.checksum.Chunks;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * Options for writing files.
 *
 * @param unitBytes largest number of payload bytes in one write request
 * @param windowBytes largest number of bytes of one file in memory, whether waiting or in flight
 * @param syncOnClose whether close makes the bytes durable before it records the length
 */
public record WriteOptions(int unitBytes, long windowBytes, boolean syncOnClose) {
    static final ConfigKey<Long> UNIT = ConfigKey.number(
            "stead.client.write.size",
            1 << 20,
            Chunks.CHUNK_BYTES,
            4 << 20,
            "bytes",
            "Most bytes in one write request.");
    static final ConfigKey<Long> WINDOW = ConfigKey.number(
            "stead.client.write.window",
            8 << 20,
            Chunks.CHUNK_BYTES,
            1L << 30,
            "bytes",
            "Most bytes of one file that are in memory or in flight; a write of more bytes waits.");
    static final ConfigKey<Boolean> SYNC_ON_CLOSE = ConfigKey.flag(
            "stead.close.sync",
            true,
            "Closing a file makes its bytes durable first; false is faster and may lose them in a power cut.");
    public static final List<ConfigKey<?>> KEYS = List.of(UNIT, WINDOW, SYNC_ON_CLOSE);

    public static WriteOptions of(Settings settings) {
        return new WriteOptions(settings.get(UNIT).intValue(), settings.get(WINDOW), settings.get(SYNC_ON_CLOSE));
    }

    /**
     * Largest number of payload bytes in one write request for a file of this width. At least one chunk. If possible,
     * the window has room for one full request of each column.
     */
    int unitBytes(int width) {
        long fair = windowBytes / width;
        return (int) Math.max(Chunks.CHUNK_BYTES, Chunks.floor(Math.min(unitBytes, fair)));
    }
}
