package io.steadfs.mds.op.list;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentPosition;
import io.steadfs.store.Derived;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A page of a directory, encoded as a reply sends it. Several jobs may list the same directory one after another. The
 * shard reads and encodes a page only once, until an entry of the page or the object of an entry changes.
 *
 * @param packed the encoded entries, as in {@code ListReply.packed}
 * @param cursor where the next page begins; empty = this page is the last one
 */
record ListedPage(ByteString packed, ByteString cursor) implements Derived {
    /**
     * Identifies a page.
     *
     * @param lastHash the last hash of the partition, as an unsigned number
     * @param limit the greatest number of entries in the page
     */
    record Question(Handle directory, DirentPosition from, long lastHash, int limit, boolean wantLayout) {}

    static ListedPage of(List<Entry> entries, ByteString cursor) {
        int size = 0;
        for (Entry entry : entries) {
            int length = entry.getSerializedSize();
            size += CodedOutputStream.computeUInt32SizeNoTag(length) + length;
        }
        byte[] packed = new byte[size];
        CodedOutputStream out = CodedOutputStream.newInstance(packed);
        try {
            for (Entry entry : entries) {
                out.writeUInt32NoTag(entry.getSerializedSize());
                entry.writeTo(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an entry did not fit the size it named", e);
        }
        out.checkNoSpaceLeft();
        // The array is shared with nobody else.
        return new ListedPage(UnsafeByteOperations.unsafeWrap(packed), cursor);
    }

    static Optional<ListedPage> kept(Question question, ReadView view) {
        return view.kept(question).map(ListedPage.class::cast);
    }

    ListReply.Builder addTo(ListReply.Builder reply) {
        return reply.setPacked(packed).setCursor(cursor);
    }

    @Override
    public int sizeBytes() {
        return packed.size() + cursor.size();
    }
}
