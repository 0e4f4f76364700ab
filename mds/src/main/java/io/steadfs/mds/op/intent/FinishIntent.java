package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.IntentFinished;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotFinished;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.FinishReply;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The second step of a participant of an intent. The participant commits or undoes all slots of the intent in one
 * batch. After this step, the participant refuses every prepare of the intent. If nothing is held for a slot, the slot
 * was finished before, or its prepare has never arrived.
 */
public final class FinishIntent extends NamespaceOperation<FinishRequest> {
    public FinishIntent() {
        super(Kind.FINISH);
    }

    @Override
    public Decision<Reply> change(FinishRequest request, Context context) throws Refused {
        int coordinator = request.getCoordinator();
        long intent = request.getIntent();
        CoordinatorFloor.check(coordinator, intent, request.getLowestOpen(), context);
        if (request.getSlotsCount() > PreparedSlots.MOST_OF_INTENT) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    request.getSlotsCount() + " slots of intent " + intent + " of shard " + coordinator
                            + " in one message are above " + PreparedSlots.MOST_OF_INTENT);
        }
        List<LogRecord> records = new ArrayList<>();
        Set<Integer> numbers = new HashSet<>();
        for (FinishRequest.Slot slot : request.getSlotsList()) {
            if (!numbers.add(slot.getSlot())) {
                throw new Refused(
                        FsError.INVALID_ARGUMENT,
                        new SlotId(coordinator, intent, slot.getSlot()) + " is in one message twice");
            }
            finish(new SlotId(coordinator, intent, slot.getSlot()), slot.getCommit(), context, records);
        }
        if (PreparedSlots.isPossible(context.view(), coordinator, intent)) {
            records.add(new IntentFinished(coordinator, intent));
        }
        return done(FinishReply.getDefaultInstance(), records);
    }

    /** Adds the records that finish the slot. If nothing is held for the slot, no record is added. */
    public static void finish(SlotId id, boolean commit, Context context, List<LogRecord> records) throws Refused {
        Optional<PreparedRow> held = PreparedSlots.find(context.view(), id);
        if (held.isEmpty()) {
            return;
        }
        Participation part = Participation.of(PreparedSlots.action(id, held.get()));
        PrepareReply reply = PrepareSlot.reply(id, held.get());
        records.addAll(commit ? part.commit(id, reply, context) : part.undo(id, reply, context));
        records.add(new SlotFinished(id));
    }
}
