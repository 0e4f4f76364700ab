package io.steadfs.client.write;

import io.steadfs.checksum.Chunks;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * How files are written.
 *
 * @param unitBytes payload of one request at most
 * @param windowBytes bytes of one file in memory at most, waiting or in flight
 * @param syncOnClose close makes the bytes durable before it records the length
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
            "Most bytes of one file that are in memory or in flight; a write beyond waits.");
    static final ConfigKey<Boolean> SYNC_ON_CLOSE = ConfigKey.flag(
            "stead.close.sync",
            true,
            "Closing a file makes its bytes durable first; false is faster and may lose them in a power cut.");
    public static final List<ConfigKey<?>> KEYS = List.of(UNIT, WINDOW, SYNC_ON_CLOSE);

    public static WriteOptions of(Settings settings) {
        return new WriteOptions(settings.get(UNIT).intValue(), settings.get(WINDOW), settings.get(SYNC_ON_CLOSE));
    }

    /** Bytes in one request of a file with so many columns. They are few enough that each column can have one request in the window. */
    int unitBytes(int width) {
        long fair = windowBytes / width;
        return (int) Math.max(Chunks.CHUNK_BYTES, Chunks.floor(Math.min(unitBytes, fair)));
    }
}
