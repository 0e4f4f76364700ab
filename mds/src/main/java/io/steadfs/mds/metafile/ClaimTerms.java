package io.steadfs.mds.metafile;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.TypedRow;
import io.steadfs.store.ReadView;
import java.io.IOException;
import java.util.Optional;

/**
 * The fields of a metafile's row on which a claim depends. A claim ends if one of them changes. A listing asks for these
 * fields once for each untouched file, so they are read without the other fields of the row.
 *
 * @param session session that made the untouched file; 0 = the file is not untouched
 */
public record ClaimTerms(long session, long writeGeneration) {
    private static final int GENERATION_TAG =
            MetafileRow.WRITE_GENERATION_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;
    private static final int SESSION_TAG =
            MetafileRow.UNTOUCHED_SESSION_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64;

    public static ClaimTerms of(MetafileRow row) {
        return new ClaimTerms(row.getUntouchedSession(), row.getWriteGeneration());
    }

    /** Reads the fields; empty if this shard has no metafile with the handle. */
    public static Optional<ClaimTerms> find(ReadView view, Handle handle) {
        Optional<byte[]> value = view.get(ShardTables.INODE, Keys.of(handle.value()));
        if (value.isEmpty() || !TypedRow.is(Metafiles.TYPE, value.get())) {
            return Optional.empty();
        }
        try {
            return Optional.of(decode(value.get()));
        } catch (IOException e) {
            throw new IllegalStateException("row of metafile " + handle + " cannot be decoded", e);
        }
    }

    /** @param value a row of a metafile, with its type */
    static ClaimTerms decode(byte[] value) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(value, 1, value.length - 1);
        long session = 0;
        long writeGeneration = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case GENERATION_TAG -> writeGeneration = in.readUInt64();
                case SESSION_TAG -> session = in.readFixed64();
                default -> {
                    if (!in.skipField(tag)) {
                        throw new InvalidProtocolBufferException("tag " + tag + " ends a group that was not begun");
                    }
                }
            }
        }
        return new ClaimTerms(session, writeGeneration);
    }
}
