package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the names that the check has found, in the order of the objects that the names lead to. Only the names of one
 * object are in memory at a time.
 */
final class Links implements AutoCloseable {
    private final ReadView.Cursor cursor;
    private boolean isThere;

    /** Depth of a name, which is no entry of a map. */
    static final int NO_PARTITION = -1;

    /**
     * A name that leads to an object, or an entry of a map that leads to a partition.
     *
     * @param shard the shard that has the name
     * @param key the key of the row at the shard
     * @param type the type of the object, according to the name
     * @param depth of the partition in the map
     * @param share the part of all hashes that the map gives to the object, in units of 2^-30
     * @param parent the directory that users see; {@link #directory} may be a partition of it
     */
    record Link(int shard, ByteString key, FileType type, int depth, long share, Handle parent) {
        boolean isOfMap() {
            return depth != NO_PARTITION;
        }

        /** Number of the partition in the map. */
        int partition() {
            return key.substring(Long.BYTES).asReadOnlyByteBuffer().getInt();
        }

        /** The directory or partition that has the name, or the directory that has the map. */
        Handle directory() {
            return key.size() < Long.BYTES
                    ? Handle.NONE
                    : Work.handleIn(key.substring(0, Long.BYTES).toByteArray());
        }
    }

    /** The part of all hashes that the partitions have, in units of 2^-30. */
    static long share(CheckedPartitionRange range) {
        long share = 1L << (PartitionMap.MAX_DEPTH - range.getDepth());
        for (CheckedPartitionRange.Other each : range.getOthersList()) {
            share += 1L << (PartitionMap.MAX_DEPTH - each.getDepth());
        }
        return share;
    }

    /** Whether names with this hash are in one of the partitions. */
    static boolean has(CheckedPartitionRange range, long hash) {
        return has(range.getNumber(), range.getDepth(), hash)
                || range.getOthersList().stream().anyMatch(each -> has(each.getNumber(), each.getDepth(), hash));
    }

    private static boolean has(int number, int depth, long hash) {
        return new Partition(number, depth, Handle.ROOT).has(hash);
    }

    /** @param first lowest handle to read; names of objects with lower handles are skipped */
    Links(Work work, Handle first) {
        cursor = work.scan(WorkTables.LINK, Work.key(first));
        isThere = cursor.next();
    }

    static List<Link> of(Work work, Handle object) {
        try (Links links = new Links(work, object)) {
            return links.take(object);
        }
    }

    /** The object of the next name; empty at the end. */
    Optional<Handle> object() {
        return isThere ? Optional.of(Work.handleIn(cursor.key())) : Optional.empty();
    }

    /**
     * Takes the names that lead to this object, beginning with the next name. If the next name leads to another object,
     * the result is empty.
     */
    List<Link> take(Handle object) {
        List<Link> links = new ArrayList<>();
        while (object().filter(object::equals).isPresent()) {
            ByteBuffer value = ByteBuffer.wrap(cursor.value());
            int shard = value.getInt();
            FileType type = Optional.ofNullable(FileType.forNumber(value.get())).orElse(FileType.UNRECOGNIZED);
            int depth = value.get();
            long share = value.getLong();
            links.add(new Link(shard, Work.nameKeyIn(cursor.key()), type, depth, share, new Handle(value.getLong())));
            isThere = cursor.next();
        }
        return links;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
