package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;

/**
 * Knows the handles that are leased without a datafile. A look-up of such a handle finds an empty datafile that belongs
 * to no metafile, like a precreated datafile. A handle leaves this set after its datafile is made or removed. A
 * datafile is made by a reservation, by a first write, or after a shard says that a file uses the handle.
 *
 * <p>A handle also leaves this set after its lease has ended, or after the server begins to take back the lease's
 * unused handles. At that moment each handle that a file has also has a row. A handle never returns into this set. May
 * be called from any thread.
 */
@FunctionalInterface
public interface HandlesOnly {
    boolean holds(Handle handle);
}
