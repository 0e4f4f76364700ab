package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;

/** The object to which a path leads, for operations that treat files and directories alike. */
public sealed interface Node extends Guarded permits FileNode, DirectoryNode {
    Handle handle();

    /** The version, which rises with every change of the attributes. */
    long version();

    /** Number of extended attributes. */
    int xattrs();

    /** The record that gives the object this number of extended attributes. */
    LogRecord withXattrs(int count);

    /** @param wantLayout whether a file's layout is included */
    Attributes attributes(ReadView view, boolean wantLayout);
}
