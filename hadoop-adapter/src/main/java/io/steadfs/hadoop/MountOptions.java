package io.steadfs.hadoop;

import io.steadfs.config.Settings;

/**
 * The values of the adapter's own configuration keys.
 *
 * @param blockSize bytes; 0 = the cluster's default
 * @param width columns of new files; 0 = the cluster's default
 * @param stripSize bytes; 0 = the cluster's default
 * @param sortedEntries entries of the largest listing that is sorted while a caller walks it
 * @param joining how ranges of a vectored read are joined
 */
record MountOptions(long blockSize, int width, int stripSize, int sortedEntries, SteadInputStream.Joining joining) {
    /** @throws io.steadfs.config.ConfigException naming a key whose value cannot be used */
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
