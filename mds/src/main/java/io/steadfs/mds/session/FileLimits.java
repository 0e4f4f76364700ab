package io.steadfs.mds.session;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;

/**
 * The greatest number of metafiles of one shard that one session may hold.
 *
 * @param written limit for metafiles that the session writes
 * @param unnamed limit for metafiles that the session made and that have no name yet
 */
public record FileLimits(long written, long unnamed) {
    public static final ConfigKey<Long> WRITTEN = ConfigKey.number(
            "stead.session.files.open",
            100_000,
            1,
            1L << 40,
            "",
            "Most files of one shard that a session may have open for writing; further ones are refused with"
                    + " TOO_LARGE.");
    public static final ConfigKey<Long> UNNAMED = ConfigKey.number(
            "stead.session.files.unnamed",
            100_000,
            1,
            1L << 40,
            "",
            "Most files of one shard that a session made and that have no name yet; further ones are refused with"
                    + " BUSY.");

    public static FileLimits from(Settings settings) {
        return new FileLimits(settings.get(WRITTEN), settings.get(UNNAMED));
    }
}
