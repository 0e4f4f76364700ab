package io.steadfs.mds.state;

import com.google.protobuf.ByteString;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;

/** Removes a row that cannot be read, whatever its key is. */
public record StrayRowGone(Table table, ByteString key) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(table, key.toByteArray());
    }
}
