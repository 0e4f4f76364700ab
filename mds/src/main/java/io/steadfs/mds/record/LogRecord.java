package io.steadfs.mds.record;

import io.steadfs.store.WriteView;

/**
 * One fact decided by a command. Its values are absolute ("partition 0 of d now has 7 entries"). So replay makes no choice,
 * reads nothing, cannot fail, and does no harm if it is repeated. Each noun defines its own records.
 */
public interface LogRecord {
    void replay(WriteView view);
}
