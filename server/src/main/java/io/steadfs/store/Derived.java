package io.steadfs.store;

/**
 * A result that was derived from rows of one state. A derived result must be immutable, because a cache gives the same
 * object to many readers.
 */
public interface Derived {
    /** The approximate size of this object in memory. */
    int sizeBytes();
}
