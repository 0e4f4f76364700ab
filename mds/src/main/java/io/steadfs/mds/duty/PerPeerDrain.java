package io.steadfs.mds.duty;

import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Does the work that waits for its peers, which are IO servers or shards. Each peer has its own lane. A lane has one
 * message under way. So a peer that does not answer delays no other peer.
 */
final class PerPeerDrain<T> {
    private final Clock clock;
    private final PeerLane.Pauses pauses;
    private final Supplier<Optional<Set<Integer>>> waiting;
    private final Function<PeerLane<T>, PeerWork<T>> work;
    private final Pacer pacer;

    /** Lanes by peer. Owned by the scheduler's thread. */
    private final Map<Integer, PeerLane<T>> lanes = new HashMap<>();

    /**
     * @param waiting peers for which something waits, in the order in which their lanes begin; empty if no work is
     *     allowed now
     * @param work makes the work of a lane
     */
    PerPeerDrain(
            Scheduler scheduler,
            Clock clock,
            long intervalMillis,
            PeerLane.Pauses pauses,
            Supplier<Optional<Set<Integer>>> waiting,
            Function<PeerLane<T>, PeerWork<T>> work) {
        this.clock = clock;
        this.pauses = pauses;
        this.waiting = waiting;
        this.work = work;
        this.pacer = new Pacer(scheduler, intervalMillis, this::round);
    }

    void start() {
        pacer.start();
    }

    /** Says that something waits for a peer. May be called from any thread. */
    void wake() {
        pacer.wake();
    }

    void stop() {
        pacer.stop();
    }

    private void round() {
        waiting.get().ifPresent(peers -> {
            lanes.values().removeIf(lane -> lane.isOver() && !peers.contains(lane.peer()));
            for (int peer : peers) {
                lanes.computeIfAbsent(peer, this::lane).beginIfIdle();
            }
        });
    }

    private PeerLane<T> lane(int peer) {
        return new PeerLane<>(peer, pacer, clock, pauses, work);
    }
}
