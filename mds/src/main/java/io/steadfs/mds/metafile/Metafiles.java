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

    /** Empty where the handle names nothing here, or a directory. */
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

    /** A session writes the file, or it awaits recovery of its length: what the columns hold may count more. */
    public static boolean isOpen(MetafileRow row) {
        return row.getWriterSession() != 0 || (row.getRecovering() && !row.getCut());
    }

    /** The length to tell people: of an open file what its writer has flushed counts too. */
    public static long toldLength(MetafileRow row) {
        return isOpen(row) ? Math.max(row.getLength(), row.getFlushedLength()) : row.getLength();
    }

    /** The row with these lengths. What is on stable storage is visible too, so the flushed one is kept only where it is more. */
    public static MetafileRow.Builder withLengths(MetafileRow row, long length, long flushed) {
        return row.toBuilder().setLength(length).setFlushedLength(flushed > length ? flushed : 0);
    }
}
