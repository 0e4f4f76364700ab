package io.steadfs.mds.directory;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.TypedRow;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import java.util.Optional;

/** The directories of a state: rows of the inode table whose first byte is {@value #TYPE}. */
public final class Directories {
    static final byte TYPE = 0x02;

    private Directories() {}

    /** Returns the directory; empty if this shard has no object with the handle, or if the object is a file. */
    public static Optional<DirectoryRow> find(ReadView view, Handle handle) {
        Optional<byte[]> value = view.get(ShardTables.INODE, Keys.of(handle.value()));
        if (value.isEmpty() || !TypedRow.is(TYPE, value.get())) {
            return Optional.empty();
        }
        try {
            return Optional.of(TypedRow.decode(DirectoryRow.parser(), value.get()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("row of directory " + handle + " cannot be decoded", e);
        }
    }

    /** Adds the directory's row to the sources of a derived value. */
    public static void addTo(Sources sources, Handle handle) {
        sources.add(ShardTables.INODE, Keys.of(handle.value()));
    }
}
