package io.steadfs.mds.dirent;

import com.google.protobuf.ByteString;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records the removal of a row of the dirent table, even if the row's key has no valid shape. */
public record StrayDirentGone(ByteString key) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.DIRENT, key.toByteArray());
    }
}
