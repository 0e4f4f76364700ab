package io.steadfs.store;

/** The changes that replay may make to a state. */
public interface WriteView {
    void put(Table table, byte[] key, byte[] value);

    /** Removing a row that does not exist does no harm. */
    void delete(Table table, byte[] key);
}
