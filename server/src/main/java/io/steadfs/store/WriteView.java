package io.steadfs.store;

/** What replay may do to a state. */
public interface WriteView {
    void put(Table table, byte[] key, byte[] value);

    /** Removing what is not there is harmless. */
    void delete(Table table, byte[] key);
}
