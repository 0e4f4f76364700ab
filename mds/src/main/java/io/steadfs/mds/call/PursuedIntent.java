package io.steadfs.mds.call;

import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.IntentOpened;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.PrepareAction;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Holds the intent of a pursuit, with a slot for each thing that another shard holds.
 *
 * @param number number of the intent; 0 = no intent is open, and there are no slots
 * @param slots all slots, in order
 */
record PursuedIntent(long number, List<Need.Prepare> slots) {
    static final PursuedIntent NONE = new PursuedIntent(0, List.of());

    PursuedIntent {
        slots = List.copyOf(slots);
    }

    boolean isOpen() {
        return number != 0;
    }

    /**
     * Returns why the pursuit must not go on; empty = the pursuit may go on. There are two reasons: another pursuit
     * serves the same request, or the intent was given up. In both, another try of the request may have been carried
     * out or may be later, so the outcome of the request is unknown.
     */
    Optional<String> crossed(PursuitKey key, ReadView view) {
        Optional<Long> underWay =
                key.ofIntent().flatMap(each -> Intents.ofRequest(view, each.session(), each.requestId()));
        if (underWay.isPresent() && underWay.get() != number) {
            return Optional.of("the request is under way already, as intent " + underWay.get());
        }
        return isOpen() && underWay.isEmpty() ? Optional.of("intent " + number + " was given up") : Optional.empty();
    }

    /**
     * Returns the same intent with these slots, or a new intent if no intent is open. The caller must send no prepare
     * before the record of {@link #opened} is durable.
     */
    PursuedIntent with(List<Need.Prepare> all, ReadView view) {
        return new PursuedIntent(isOpen() ? number : Intents.next(view), all);
    }

    /** Returns the record that opens the intent. For an open intent, the record adds the new slots. */
    LogRecord opened(PursuitKey.OfRequest key, ReadView view) {
        IntentRow.Builder row = IntentRow.newBuilder()
                .setState(IntentRow.State.OPEN)
                .setSession(key.session())
                .setRequestId(key.requestId());
        for (Need.Prepare slot : slots) {
            row.addSlots(IntentRow.Slot.newBuilder().setShard(slot.shard()).setHierarchy(isHierarchy(slot)));
        }
        return new IntentOpened(number, row.build(), Math.max(Intents.next(view), number + 1));
    }

    private static boolean isHierarchy(Need.Prepare slot) {
        return slot.action().getActionCase() == PrepareAction.ActionCase.LOCK_HIERARCHY
                && slot.shard() == Handle.ROOT.shard();
    }

    /** Returns the record that ends the intent, with the verdict for each slot. */
    LogRecord decided(Predicate<Need.Prepare> commits, ReadView view) {
        IntentRow.Builder row =
                Intents.find(view, number).orElseThrow().toBuilder().setState(IntentRow.State.DECIDED);
        for (int i = 0; i < slots.size(); i++) {
            row.getSlotsBuilder(i).setCommit(commits.test(slots.get(i)));
        }
        return new IntentDecided(number, row.build());
    }
}
