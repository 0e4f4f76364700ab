package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.FileType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The names that the check met, in the order of the objects that they lead to. Only the names of one object at a time are in memory. */
final class Links implements AutoCloseable {
    private final ReadView.Cursor cursor;
    private boolean isThere;

    /**
     * A name.
     *
     * @param shard where the name is
     * @param key of its row there
     * @param type that the name gives its object
     */
    record Link(int shard, ByteString key, FileType type) {
        Handle directory() {
            return key.size() < Long.BYTES
                    ? Handle.NONE
                    : Work.handleIn(key.substring(0, Long.BYTES).toByteArray());
        }
    }

    /** @param first no name leads to an object with a lower handle */
    Links(Work work, Handle first) {
        cursor = work.scan(WorkTables.LINK, Work.key(first));
        isThere = cursor.next();
    }

    static List<Link> of(Work work, Handle object) {
        try (Links links = new Links(work, object)) {
            return links.take(object);
        }
    }

    /** The object that the next names lead to; empty at the end. */
    Optional<Handle> object() {
        return isThere ? Optional.of(Work.handleIn(cursor.key())) : Optional.empty();
    }

    /** Takes the next names, if they lead to this object. */
    List<Link> take(Handle object) {
        List<Link> links = new ArrayList<>();
        while (object().filter(object::equals).isPresent()) {
            ByteBuffer value = ByteBuffer.wrap(cursor.value());
            int shard = value.getInt();
            FileType type = Optional.ofNullable(FileType.forNumber(value.get())).orElse(FileType.UNRECOGNIZED);
            links.add(new Link(shard, Work.nameKeyIn(cursor.key()), type));
            isThere = cursor.next();
        }
        return links;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
