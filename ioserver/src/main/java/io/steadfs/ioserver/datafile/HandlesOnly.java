package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;

/**
 * Knows the handles that are leased without a datafile. A look-up of such a handle finds an empty datafile that belongs to no metafile, as
 * if it had been precreated. That ends when the datafile is removed, or is made: by a reservation, by a first write, or because a shard
 * says that it is used.
 *
 * <p>A handle ceases to be one for ever when its lease ends or its unused handles are taken back. By then each handle that a file has, has
 * a row. From any thread.
 */
@FunctionalInterface
public interface HandlesOnly {
    boolean holds(Handle handle);
}
