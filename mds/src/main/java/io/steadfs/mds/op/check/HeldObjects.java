package io.steadfs.mds.op.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareReply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the objects that an operation of another shard is making, moving or removing at this shard now. Among them are
 * partitions of other shards that get an entry in a map of this shard.
 */
final class HeldObjects {
    private static final Logger LOG = LoggerFactory.getLogger(HeldObjects.class);

    private HeldObjects() {}

    /** The handles of the objects that the slots hold. A slot that cannot be read counts as holding nothing. */
    static Set<Handle> in(ReadView view, List<SlotId> slots) {
        Set<Handle> held = new HashSet<>();
        for (SlotId id : slots) {
            try {
                PreparedRow row = PreparedSlots.find(view, id).orElseThrow();
                PrepareAction action = PrepareAction.parseFrom(row.getAction());
                PrepareReply reply = PrepareReply.parseFrom(row.getReply());
                switch (action.getActionCase()) {
                    case MAKE_DIRECTORY, MOVE_DIRECTORY ->
                        held.add(new Handle(reply.getAttributes().getHandle()));
                    case FREEZE_DIRECTORY -> {
                        held.add(new Handle(action.getFreezeDirectory().getDirectory()));
                        action.getFreezeDirectory().getPartitionsList().forEach(each -> held.add(new Handle(each)));
                    }
                    case MAKE_PARTITIONS, TAKE_PARTITION, MERGE_NAMES ->
                        reply.getPartitionsList().forEach(each -> held.add(new Handle(each)));
                    case LOCK_SOURCE -> held.add(new Handle(reply.getObject()));
                    case HOLD_MAP -> held.add(new Handle(action.getHoldMap().getGivenHandle()));
                    case MERGE_MAP, LOCK_HIERARCHY, ACTION_NOT_SET -> {}
                }
            } catch (IllegalStateException | InvalidProtocolBufferException e) {
                LOG.warn("{} cannot be read, so a check takes it as holding nothing: {}", id, e.getMessage());
            }
        }
        held.remove(Handle.NONE);
        return held;
    }
}
