package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;

/**
 * Knows the handles that are leased without a datafile. Whoever looks for the datafile of one finds an empty one that belongs to no
 * metafile, as if it had been precreated, until it is made, by a reservation, a first write or a shard's word, or removed.
 *
 * <p>A handle ceases to be one for ever when its lease ends or its unused handles are taken back; by then each that a file has, has a row. From any thread.
 */
@FunctionalInterface
public interface HandlesOnly {
    boolean holds(Handle handle);
}
