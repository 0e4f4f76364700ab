package io.steadfs.mds.xattr;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The object does not have this extended attribute. */
public record XattrGone(Handle object, String name) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.XATTR, Xattrs.key(object, name));
    }
}
