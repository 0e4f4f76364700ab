package io.steadfs.ioserver.lease;

/**
 * The handles that one holder has leased, each in one class.
 *
 * @param name of the newest lease
 * @param leases that have not ended
 * @param inUse a file is known to have it, or its datafile is gone with one
 * @param pooled no file is known to have it, in leases that are open
 * @param suspect the same in leases that are over and not sorted out yet
 * @param orphan no file has it, as all shards have said: being taken back
 * @param oldestMillis wall clock of the oldest grant
 */
public record HolderAccount(
        long holder, String name, int leases, long inUse, long pooled, long suspect, long orphan, long oldestMillis) {}
