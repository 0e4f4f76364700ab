package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;

/** A file or a directory, for operations that treat both alike. */
public sealed interface Node extends Guarded permits FileNode, DirectoryNode {
    Handle handle();

    /** The object's version, which rises with every change of the object's attributes. */
    long version();

    /** Number of extended attributes. */
    int xattrs();

    /** The record that sets the object's number of extended attributes to {@code count}. */
    LogRecord withXattrs(int count);

    /** @param wantLayout whether the attributes of a file include its layout */
    Attributes attributes(ReadView view, boolean wantLayout);
}
