package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;

/**
 * A datafile to be removed at its IO server, and the metafile that listed the datafile. The IO server removes a
 * datafile only if the datafile belongs to the named metafile. So a metafile that wrongly listed a foreign datafile
 * cannot remove the foreign datafile.
 */
public record QueuedDatafile(Handle datafile, Handle metafile) {
    /** The value that sorts before all queued datafiles. */
    public static final QueuedDatafile NONE = new QueuedDatafile(Handle.NONE, Handle.NONE);
}
