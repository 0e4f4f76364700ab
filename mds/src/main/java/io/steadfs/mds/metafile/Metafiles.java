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

    /** Returns the metafile; empty if this shard has no object with the handle, or if the object is a directory. */
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
     * Whether the file is open. A file is open if a session writes it, or if it awaits recovery of its length. An open
     * file may have more bytes than its recorded length says.
     */
    public static boolean isOpen(MetafileRow row) {
        return row.getWriterSession() != 0 || (row.getRecovering() && !row.getCut());
    }

    /** The length that users see. If the file is open, the bytes that its writer has flushed count too. */
    public static long toldLength(MetafileRow row) {
        return isOpen(row) ? Math.max(row.getLength(), row.getFlushedLength()) : row.getLength();
    }

    /**
     * The row with the two lengths. Bytes on stable storage are visible too. So the row keeps the flushed length only
     * if it is greater than {@code length}.
     *
     * @param length bytes on stable storage
     * @param flushed bytes that the writer has flushed
     */
    public static MetafileRow.Builder withLengths(MetafileRow row, long length, long flushed) {
        return row.toBuilder().setLength(length).setFlushedLength(flushed > length ? flushed : 0);
    }
}
