package io.steadfs.mds.op.ground;

/**
 * A dirent leads to an object that does not exist. In a decision, or within a snapshot, this is a broken invariant. A query
 * on the moving state can meet it if an entry was replaced or removed between two of its reads.
 */
final class DanglingDirent extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DanglingDirent(String message) {
        super(message);
    }
}
