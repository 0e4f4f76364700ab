package io.steadfs.mds.duty;

import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.IntentStatusReply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks coordinators about slots that this shard has held for them for a long time. If a coordinator has closed the
 * intent of a slot, it will never finish the slot here, so this shard gives the slot up. If the intent is not closed,
 * the coordinator will still tell the outcome. Normally this duty finds nothing, because coordinators finish their
 * slots and this shard refuses late prepares. The duty is needed for a shard whose store was replaced by an older copy.
 */
public final class LockInquiry implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(LockInquiry.class);

    /** Time between two rounds. A slot that is held in two rounds has been held for a long time. */
    private static final long INTERVAL_MILLIS = 5_000;

    /** The highest number of slots that one round asks about. */
    private static final int MOST = 1_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IntentPeers peers;
    private final Function<SlotId, InternalCommand<Boolean>> undo;
    private final Pacer pacer;

    /** The slots that were held in the last round. Owned by the scheduler's thread. */
    private Set<SlotId> seen = new HashSet<>();

    public LockInquiry(
            Supplier<ReadView> committed,
            Shard shard,
            IntentPeers peers,
            Scheduler scheduler,
            Function<SlotId, InternalCommand<Boolean>> undo) {
        this.committed = committed;
        this.shard = shard;
        this.peers = peers;
        this.undo = undo;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    private void round() {
        List<SlotId> held = PreparedSlots.all(committed.get(), MOST);
        for (SlotId slot : held) {
            if (seen.contains(slot)) {
                Pacer.step(() -> ask(slot), cause -> broke(slot, cause));
            }
        }
        seen = new HashSet<>(held);
    }

    private void ask(SlotId slot) {
        pacer.when(
                peers.status(slot),
                (state, failure) -> {
                    if (state == IntentStatusReply.State.FORGOTTEN) {
                        giveUp(slot);
                    }
                },
                cause -> broke(slot, cause));
    }

    private static void broke(SlotId slot, Throwable cause) {
        LOG.error("asking about {} broke; the next round asks again", slot, cause);
    }

    private void giveUp(SlotId slot) {
        LOG.warn("{} is given up: its coordinator has closed the intent", slot);
        InternalCommand<Boolean> command = undo.apply(slot);
        pacer.when(
                command.outcome(),
                (held, failure) -> {
                    if (failure != null) {
                        LOG.warn("{} could not be given up: {}", slot, failure.toString());
                    }
                },
                cause -> broke(slot, cause));
        shard.submit(command);
    }
}
