package io.steadfs.mds.op.ground;

/**
 * Thrown if a dirent leads to an object that does not exist. In a decision or on a snapshot, such a dirent breaks an
 * invariant. A query without a snapshot may read a dirent before a change and the object after the change. So a query
 * without a snapshot can meet the dirent of an entry that was replaced or removed in between.
 */
final class DanglingDirent extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DanglingDirent(String message) {
        super(message);
    }
}
