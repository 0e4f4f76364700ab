package io.steadfs.store.mark;

/** Which stores that lack something the operator lets a server start with. */
public enum AcceptedLoss {
    /** None: every store must have all that was marked. */
    NONE,
    /** Stores without any row: their disk was replaced by an empty one. A start that was interrupted may be repeated. */
    NEW_STORE,
    /** Every store, also one that is an older state of itself. */
    OLDER_STORE
}
