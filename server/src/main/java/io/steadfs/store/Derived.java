package io.steadfs.store;

/** Something worked out from rows of one state. Immutable, for whoever keeps it gives it to many. */
public interface Derived {
    /** What it takes in memory, about. */
    int sizeBytes();
}
