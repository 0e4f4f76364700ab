package io.steadfs.store;

/**
 * One ordered map of byte strings in a {@link Store}; a RocksDB column family. Keys compare as unsigned bytes.
 *
 * @param name of the column family
 */
public record Table(String name) {}
