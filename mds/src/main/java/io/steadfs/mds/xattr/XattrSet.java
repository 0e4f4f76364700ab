package io.steadfs.mds.xattr;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the object has the extended attribute with this value. */
public record XattrSet(Handle object, String name, ByteString value) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.XATTR, Xattrs.key(object, name), value.toByteArray());
    }
}
