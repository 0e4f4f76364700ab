package io.steadfs.mds.xattr;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the object does not have the extended attribute any more. */
public record XattrGone(Handle object, String name) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.XATTR, Xattrs.key(object, name));
    }
}
