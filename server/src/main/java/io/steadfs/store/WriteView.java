package io.steadfs.store;

/** Changes the rows of a state. */
public interface WriteView {
    void put(Table table, byte[] key, byte[] value);

    /** Removes a row. If the row does not exist, nothing happens. */
    void delete(Table table, byte[] key);
}
