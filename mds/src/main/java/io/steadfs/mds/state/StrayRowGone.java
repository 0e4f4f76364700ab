package io.steadfs.mds.state;

import com.google.protobuf.ByteString;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;

/** Records the removal of an unreadable row, even if the row's key has no valid shape. */
public record StrayRowGone(Table table, ByteString key) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(table, key.toByteArray());
    }
}
