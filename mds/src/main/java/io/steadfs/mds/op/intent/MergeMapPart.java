package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.PartitionMerge;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MergeMap;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;

/**
 * Holds the entries of two partitions that are merged, which both are on other shards. The directory is not removed as an
 * empty one meanwhile.
 */
record MergeMapPart(MergeMap request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        PartitionMerge merge = PartitionMerge.of(request.getMerge());
        if (context.owns(merge.ends().handle()) || context.owns(merge.stays().handle())) {
            throw new Refused(FsError.INVALID_ARGUMENT, "this shard has one of the partitions: " + merge);
        }
        merge.requireMap(context);
        return new Held(
                List.of(merge.staysHeld(id.lock()), merge.endHeld(id.lock())), PrepareReply.getDefaultInstance());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        PartitionMerge merge = merge();
        return merge.isHeld(merge.stays(), id.lock(), context) && merge.isHeld(merge.ends(), id.lock(), context)
                ? List.of(merge.stayed(), merge.ended())
                : List.of();
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return merge().released(id.lock(), context);
    }

    private PartitionMerge merge() {
        return PartitionMerge.ofPrepared(request.getMerge());
    }
}
