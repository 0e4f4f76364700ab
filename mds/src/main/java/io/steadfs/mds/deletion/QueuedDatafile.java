package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;

/**
 * A datafile to be removed at its IO server, and the metafile that listed it. The IO server removes it only if it is that
 * metafile's, so that a metafile that listed another one's datafile takes nothing from it.
 */
public record QueuedDatafile(Handle datafile, Handle metafile) {
    /** Before all others. */
    public static final QueuedDatafile NONE = new QueuedDatafile(Handle.NONE, Handle.NONE);
}
