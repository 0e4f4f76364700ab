package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;

/** What a name can lead to, for operations that only look: a file, a directory or a symbolic link. */
public sealed interface Described extends Guarded permits Node, SymlinkNode {
    Handle handle();

    /** @param wantLayout whether the attributes of a file include its layout */
    Attributes attributes(ReadView view, boolean wantLayout);
}
