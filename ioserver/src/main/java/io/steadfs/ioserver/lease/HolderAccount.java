package io.steadfs.ioserver.lease;

/**
 * The handles that one holder has leased, counted in four classes.
 *
 * @param name name of the holder, from its newest lease
 * @param leases number of leases that have not ended
 * @param inUse handles that a file is known to have, and handles whose datafile was removed together with its file
 * @param pooled handles in open leases that no file is known to have
 * @param suspect handles that no file is known to have, in leases that are over and wait for answers of shards
 * @param orphan handles that no file has, according to all shards; the server is taking these handles back
 * @param oldestMillis wall clock time of the oldest grant, in milliseconds since 1970
 */
public record HolderAccount(
        long holder, String name, int leases, long inUse, long pooled, long suspect, long orphan, long oldestMillis) {}
