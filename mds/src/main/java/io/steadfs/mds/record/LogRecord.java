package io.steadfs.mds.record;

import io.steadfs.store.WriteView;

/**
 * A record: one fact that a command decided. The values of a record are absolute, for example "partition 0 of d now has
 * 7 entries". So replay makes no choice, reads nothing and cannot fail. Repeating a replay does no harm. Each noun
 * package defines its own records.
 */
public interface LogRecord {
    void replay(WriteView view);

    /** Whether the record changes only volatile tables. A restart of the shard forgets the record. */
    default boolean isVolatile() {
        return false;
    }
}
