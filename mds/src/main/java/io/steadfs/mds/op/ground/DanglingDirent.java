package io.steadfs.mds.op.ground;

/**
 * A dirent leads to an object that is not there. In a decision, or within a snapshot, that is a broken invariant; a
 * query on the moving state meets it where an entry was replaced or removed between two of its reads.
 */
final class DanglingDirent extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DanglingDirent(String message) {
        super(message);
    }
}
