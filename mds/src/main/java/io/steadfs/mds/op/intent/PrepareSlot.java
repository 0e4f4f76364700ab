package io.steadfs.mds.op.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.PrepareRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first step of a participant of an intent. The participant holds what one slot of the intent needs, or refuses. A
 * repeated prepare gets the same answer and holds nothing more. A prepare that arrives after the end of the intent is
 * refused. If this shard already holds too many slots for the coordinator, the answer is BUSY.
 */
public final class PrepareSlot extends NamespaceOperation<PrepareRequest> {
    public PrepareSlot() {
        super(Kind.PREPARE);
    }

    @Override
    public Decision<Reply> change(PrepareRequest request, Context context) throws Refused {
        SlotId id = slot(request, context);
        Optional<PreparedRow> held = PreparedSlots.find(context.view(), id);
        if (held.isPresent()) {
            return done(reply(id, held.get()), List.of());
        }
        if (!PreparedSlots.isPossible(context.view(), id.coordinator(), id.intent())) {
            throw new Refused(FsError.CANCELLED, "prepare of " + id + " comes after the intent was closed");
        }
        SlotCount heldFor = SlotCount.of(context.view(), id.coordinator());
        if (heldFor.slots() >= PreparedSlots.MOST_OF_COORDINATOR) {
            throw new Refused(
                    FsError.BUSY,
                    heldFor.slots() + " slots are held for shard " + id.coordinator() + " already, at most "
                            + PreparedSlots.MOST_OF_COORDINATOR + " are allowed");
        }
        Participation.Held prepared = Participation.of(request.getAction()).prepare(id, context);
        List<LogRecord> records = new ArrayList<>(prepared.records());
        records.add(new SlotPrepared(
                id,
                PreparedRow.newBuilder()
                        .setAction(request.getAction().toByteString())
                        .setReply(prepared.reply().toByteString())
                        .build()));
        records.add(heldFor.oneMore());
        return done(prepared.reply(), records);
    }

    private static SlotId slot(PrepareRequest request, Context context) throws Refused {
        CoordinatorFloor.check(request.getCoordinator(), request.getIntent(), request.getLowestOpen(), context);
        if (request.getSlot() < 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "slot " + Integer.toUnsignedString(request.getSlot()) + " of an intent");
        }
        return new SlotId(request.getCoordinator(), request.getIntent(), request.getSlot());
    }

    static PrepareReply reply(SlotId id, PreparedRow row) {
        try {
            return PrepareReply.parseFrom(row.getReply());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("what was answered for " + id + " cannot be decoded", e);
        }
    }
}
