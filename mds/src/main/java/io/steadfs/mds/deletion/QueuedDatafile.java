package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;

/**
 * A datafile to be removed at its IO server, and the metafile that listed it. The IO server removes the datafile only if it
 * belongs to that metafile. So a metafile that listed another metafile's datafile cannot remove it.
 */
public record QueuedDatafile(Handle datafile, Handle metafile) {
    /** Sorts before all others. */
    public static final QueuedDatafile NONE = new QueuedDatafile(Handle.NONE, Handle.NONE);
}
