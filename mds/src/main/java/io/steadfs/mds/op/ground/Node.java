package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;

/** What a path leads to, for operations that treat files and directories alike. */
public sealed interface Node extends Guarded permits FileNode, DirectoryNode {
    Handle handle();

    /** Rises with every change of the attributes. */
    long version();

    /** Number of extended attributes. */
    int xattrs();

    /** The object with another number of extended attributes. */
    LogRecord withXattrs(int count);

    /** @param wantLayout with the layout, of a file */
    Attributes attributes(ReadView view, boolean wantLayout);
}
