package io.steadfs.store.mark;

/** The stores with which the operator lets a server start although they lack something. */
public enum AcceptedLoss {
    /** No store may lack anything. Every store must have its newest mark. */
    NONE,
    /**
     * Only stores without any row may lack something, because an empty disk replaced their disk. An interrupted start
     * with such a store may be repeated.
     */
    NEW_STORE,
    /** Every store may lack something, even if it is an older state of itself. */
    OLDER_STORE
}
