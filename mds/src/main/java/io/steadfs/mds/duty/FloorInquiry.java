package io.steadfs.mds.duty;

import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks coordinators for their lowest open intent: all their intents with lower numbers are closed. This duty asks only
 * coordinators of intents that this shard finished. After the answer, this shard forgets the coordinator's finished
 * intents below that number. If the number were too high, this shard would refuse the coordinator's prepares forever.
 * Anybody can send messages, so the shard takes the number only from the coordinator's own answer, at the address in
 * the cluster map.
 */
public final class FloorInquiry implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(FloorInquiry.class);
    private static final long INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IntentPeers peers;
    private final Raising raising;
    private final Pacer pacer;

    /**
     * Coordinators that are being asked, or whose finished intents are being forgotten. Owned by the scheduler's
     * thread.
     */
    private final Set<Integer> underWay = new HashSet<>();

    /**
     * Makes the command that raises a coordinator's floor by one step. The command answers whether another step is
     * needed.
     */
    @FunctionalInterface
    public interface Raising {
        InternalCommand<Boolean> of(int coordinator, long lowestOpen);
    }

    public FloorInquiry(
            Supplier<ReadView> committed, Shard shard, IntentPeers peers, Scheduler scheduler, Raising raising) {
        this.committed = committed;
        this.shard = shard;
        this.peers = peers;
        this.raising = raising;
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
        ReadView view = committed.get();
        Optional<SlotId> finished = PreparedSlots.firstFinished(view, 0);
        while (finished.isPresent()) {
            SlotId first = finished.get();
            if (underWay.add(first.coordinator())) {
                Pacer.step(
                        () -> ask(first, PreparedSlots.floor(view, first.coordinator())), cause -> broke(first, cause));
            }
            finished = PreparedSlots.firstFinished(view, first.coordinator() + 1);
        }
    }

    private void ask(SlotId finished, long floor) {
        pacer.when(
                peers.lowestOpenOf(finished),
                (lowestOpen, failure) -> {
                    if (lowestOpen != null && lowestOpen > floor) {
                        raise(finished, lowestOpen);
                    } else {
                        underWay.remove(finished.coordinator());
                    }
                },
                cause -> broke(finished, cause));
    }

    private void raise(SlotId finished, long lowestOpen) {
        InternalCommand<Boolean> command = raising.of(finished.coordinator(), lowestOpen);
        pacer.when(
                command.outcome(),
                (more, failure) -> {
                    if (failure == null && more) {
                        raise(finished, lowestOpen);
                    } else {
                        underWay.remove(finished.coordinator());
                    }
                },
                cause -> broke(finished, cause));
        shard.submit(command);
    }

    private void broke(SlotId finished, Throwable cause) {
        LOG.error(
                "asking shard {} for its lowest open intent broke; it is asked again in the next round",
                finished.coordinator(),
                cause);
        underWay.remove(finished.coordinator());
    }
}
