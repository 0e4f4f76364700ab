package io.steadfs.ioserver.lease;

/**
 * The handles that one holder has leased, each in one class.
 *
 * @param name of the holder, from its newest lease
 * @param leases that have not ended
 * @param inUse handles that a file is known to have, or whose datafile is gone with its file
 * @param pooled handles that no file is known to have, in leases that are open
 * @param suspect such handles in leases that are over and not yet decided
 * @param orphan handles that no file has, according to all shards: they are being taken back
 * @param oldestMillis wall clock of the oldest grant
 */
public record HolderAccount(
        long holder, String name, int leases, long inUse, long pooled, long suspect, long orphan, long oldestMillis) {}
