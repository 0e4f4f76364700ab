package io.steadfs.mds.op.ground;

import io.steadfs.mds.record.LogRecord;

/** A file or a directory, for operations that treat both alike. */
public sealed interface Node extends Described permits FileNode, DirectoryNode {
    /** The object's version, which rises with every change of the object's attributes. */
    long version();

    /** Number of extended attributes. */
    int xattrs();

    /** The record that sets the object's number of extended attributes to {@code count}. */
    LogRecord withXattrs(int count);
}
