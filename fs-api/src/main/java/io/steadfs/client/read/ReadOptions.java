package io.steadfs.client.read;

import io.steadfs.checksum.Chunks;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * Options for reading files.
 *
 * @param unitBytes largest number of bytes that one read request asks for; a multiple of the chunk size
 * @param readaheadBytes largest number of bytes that the client fetches ahead of a sequential reader
 */
public record ReadOptions(int unitBytes, int readaheadBytes) {
    static final ConfigKey<Long> UNIT = ConfigKey.number(
            "stead.client.read.size",
            1 << 20,
            Chunks.CHUNK_BYTES,
            8 << 20,
            "bytes",
            "Most bytes asked for in one read request.");
    static final ConfigKey<Long> READAHEAD = ConfigKey.number(
            "stead.client.readahead", 4 << 20, 0, 1 << 28, "bytes", "Most bytes fetched ahead of a sequential reader.");
    public static final List<ConfigKey<?>> KEYS = List.of(UNIT, READAHEAD);

    public static ReadOptions of(Settings settings) {
        return new ReadOptions(
                (int) Chunks.floor(settings.get(UNIT)), settings.get(READAHEAD).intValue());
    }
}
