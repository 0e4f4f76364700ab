package io.steadfs.mds.call;

import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.Finisher;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.peer.CopyQuestions;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The parts of a shard that a pursuit uses.
 *
 * @param awaited shards that did not answer, with the intents that wait for them
 * @param scheduler starts work after a pause
 * @param patienceNanos time in which a command may begin again before it is dropped with BUSY; less than a client's
 *     attempt timeout
 * @param random randomness of the pauses, so that two operations that collided do not collide again
 */
public record PursuitGround(
        Shard shard,
        Asking asking,
        IntentPeers intents,
        AwaitedShards awaited,
        Finisher finisher,
        Clock clock,
        Scheduler scheduler,
        long patienceNanos,
        RandomGenerator random) {
    private static final long LEAST_PAUSE_MILLIS = 2;
    private static final long MOST_PAUSE_MILLIS = 100;

    /**
     * @param peers the shards to ask for facts
     * @param copies asks for copies of directories
     */
    public static PursuitGround of(
            Shard shard,
            Peers peers,
            CopyQuestions copies,
            IntentPeers intents,
            AwaitedShards awaited,
            Finisher finisher,
            Clock clock,
            Scheduler scheduler,
            long patienceMillis,
            RandomGenerator random) {
        return new PursuitGround(
                shard,
                new Asking(peers, copies),
                intents,
                awaited,
                finisher,
                clock,
                scheduler,
                TimeUnit.MILLISECONDS.toNanos(patienceMillis),
                random);
    }

    /** Returns the same parts with another patience. */
    PursuitGround withPatience(long nanos) {
        return new PursuitGround(shard, asking, intents, awaited, finisher, clock, scheduler, nanos, random);
    }

    /**
     * Returns the pause after this number of attempts, in milliseconds. The pause is random. Its upper bound doubles
     * with each attempt.
     */
    long pauseMillis(int attempts) {
        long most = Math.min(MOST_PAUSE_MILLIS, LEAST_PAUSE_MILLIS << Math.min(attempts, 10));
        synchronized (random) {
            return LEAST_PAUSE_MILLIS + random.nextLong(most);
        }
    }
}
