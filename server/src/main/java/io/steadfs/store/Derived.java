package io.steadfs.store;

/** A result derived from rows of one state. Immutable, because a cache gives it to many readers. */
public interface Derived {
    /** About how much memory it takes. */
    int sizeBytes();
}
