package io.steadfs.mds.metafile;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.TypedRow;
import io.steadfs.store.ReadView;
import java.util.Optional;

/** The metafiles of a state: rows of the inode table whose first byte is {@value #TYPE}. */
public final class Metafiles {
    static final byte TYPE = 0x01;

    private Metafiles() {}

    /** The metafile; empty if the handle names nothing here, or a directory. */
    public static Optional<MetafileRow> find(ReadView view, Handle handle) {
        Optional<byte[]> value = view.get(ShardTables.INODE, Keys.of(handle.value()));
        if (value.isEmpty() || !TypedRow.is(TYPE, value.get())) {
            return Optional.empty();
        }
        try {
            return Optional.of(TypedRow.decode(MetafileRow.parser(), value.get()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("row of metafile " + handle + " cannot be decoded", e);
        }
    }

    /**
     * Whether a session writes the file, or the file awaits recovery of its length. Then more bytes may count than the
     * recorded length says.
     */
    public static boolean isOpen(MetafileRow row) {
        return row.getWriterSession() != 0 || (row.getRecovering() && !row.getCut());
    }

    /** The length to tell users. If the file is open, bytes that its writer has flushed count too. */
    public static long toldLength(MetafileRow row) {
        return isOpen(row) ? Math.max(row.getLength(), row.getFlushedLength()) : row.getLength();
    }

    /** The row with these lengths. Bytes on stable storage are visible too, so the flushed length is kept only if it is greater. */
    public static MetafileRow.Builder withLengths(MetafileRow row, long length, long flushed) {
        return row.toBuilder().setLength(length).setFlushedLength(flushed > length ? flushed : 0);
    }
}
