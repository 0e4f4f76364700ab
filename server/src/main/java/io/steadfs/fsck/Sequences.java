package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckObjectsReply;
import io.steadfs.wire.proto.CheckObjectsRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers the next free handle of each shard at the beginning of the check. If an object was made after the
 * beginning, the check does not look for its names.
 */
final class Sequences {
    private static final String PROGRESS = "sequences";

    private final List<Handle> began;

    private Sequences(List<Handle> began) {
        this.began = List.copyOf(began);
    }

    /**
     * Loads the handles that the work has stored. If the work has no handles yet, asks all shards for their next free
     * handles and stores the answers.
     */
    static Sequences of(Work work, CheckedServers servers) throws IOException {
        List<Handle> began = new ArrayList<>();
        byte[] kept = work.progress(PROGRESS).orElse(new byte[0]);
        ByteBuffer in = ByteBuffer.wrap(kept);
        while (in.hasRemaining()) {
            began.add(new Handle(in.getLong()));
        }
        if (began.isEmpty()) {
            for (int shard = 0; shard < servers.shards(); shard++) {
                began.add(next(servers, shard));
            }
            ByteBuffer out = ByteBuffer.allocate(began.size() * Long.BYTES);
            began.forEach(each -> out.putLong(each.value()));
            try (WorkBatch batch = work.batch()) {
                batch.progress(PROGRESS, out.array());
                batch.commit();
            }
        }
        return new Sequences(began);
    }

    private static Handle next(CheckedServers servers, int shard) throws FsException {
        return new Handle(servers.askShard(
                        shard, Kind.CHECK_OBJECTS, CheckObjectsRequest.getDefaultInstance(), CheckObjectsReply.class)
                .getNext());
    }

    /**
     * Whether the object was made between the beginning of the check and a later moment.
     *
     * @param next the shard's next free handle at that later moment
     */
    boolean isNew(Handle object, Handle next) {
        Handle first = first(object.shard());
        return object.compareTo(first) >= 0 && object.compareTo(next) < 0;
    }

    /** The next free handle of the shard at the beginning. A shard that was added since had made nothing. */
    private Handle first(int shard) {
        return shard < began.size() ? began.get(shard) : Handle.of(Handle.shardOwner(shard), 0, 1);
    }

    /**
     * The estimated part of the shard's objects whose handles are lower than this handle, from 0 to 1. For a handle of
     * another shard, the part is 0.
     */
    double share(int shard, Handle object) {
        if (!object.isOwnedByShard() || object.shard() != shard) {
            return 0;
        }
        Handle first = first(shard);
        return object.incarnation() != first.incarnation()
                ? 0
                : Math.min(1, object.sequence() / (double) Math.max(1, first.sequence()));
    }
}
