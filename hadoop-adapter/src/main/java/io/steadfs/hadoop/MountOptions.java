package io.steadfs.hadoop;

import io.steadfs.config.Settings;

/**
 * The values of the adapter's own configuration keys.
 *
 * @param blockSize block size of new files in bytes; 0 = the cluster's default
 * @param width number of columns of new files; 0 = the cluster's default
 * @param stripSize strip size of new files in bytes; 0 = the cluster's default
 * @param sortedEntries largest number of entries that an iterator over a directory returns sorted
 * @param joining limits for joining ranges of a vectored read
 */
record MountOptions(long blockSize, int width, int stripSize, int sortedEntries, SteadInputStream.Joining joining) {
    /** @throws io.steadfs.config.ConfigException if a key's value cannot be used; the message names the key */
    static MountOptions of(Settings settings) {
        return new MountOptions(
                settings.get(AdapterKeys.BLOCK_SIZE),
                settings.get(AdapterKeys.CREATE_WIDTH).intValue(),
                settings.get(AdapterKeys.CREATE_STRIP_SIZE).intValue(),
                settings.get(AdapterKeys.SORTED_ENTRIES).intValue(),
                new SteadInputStream.Joining(
                        settings.get(AdapterKeys.VECTORED_MIN_SEEK).intValue(),
                        settings.get(AdapterKeys.VECTORED_MAX_SIZE).intValue()));
    }
}
