package io.steadfs.mds.copy;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.RecallCopiesRequest;

/**
 * A row that other shards may have copies of.
 *
 * @param name a name in the directory that leads to a directory; empty = the directory's own row
 */
record CopyKey(Handle directory, String name) {
    static CopyKey ofRow(Handle directory) {
        return new CopyKey(directory, "");
    }

    static CopyKey of(RecallCopiesRequest.Row row) {
        return new CopyKey(new Handle(row.getDirectory()), row.getName());
    }

    RecallCopiesRequest.Row toProto() {
        return RecallCopiesRequest.Row.newBuilder()
                .setDirectory(directory.value())
                .setName(name)
                .build();
    }
}
