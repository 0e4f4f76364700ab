package io.steadfs.mds.duty;

import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.Finisher;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.FinishRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells participants the outcome of decided intents. An intent is forgotten after all its participants have
 * acknowledged the outcome. The participant that has admitted the move of a directory is told last. So the move stands
 * in the way of others until it is complete on all other shards. If the intent moved no directory, all participants are
 * told together. Telling a participant twice does no harm. Forgetting an intent too early would leave a lock forever.
 *
 * <p>Intents are finished as soon as they are decided. In addition, a round looks for intents that were left over after
 * a crash or because a participant was away.
 */
public final class IntentFinish implements Duty, Finisher {
    private static final Logger LOG = LoggerFactory.getLogger(IntentFinish.class);

    private static final long INTERVAL_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    /** The highest number of left-over intents that one scan returns. */
    private static final int PAGE = 1_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IntentPeers peers;
    private final AwaitedShards awaitedShards;
    private final LongFunction<InternalCommand<Boolean>> undo;
    private final LongFunction<InternalCommand<Boolean>> close;
    private final Pacer pacer;

    /**
     * Intents that are being finished or undone. This field and all fields below are owned by the scheduler's thread.
     */
    private final Set<Long> underWay = new HashSet<>();

    private final Map<Long, Backoff> failed = new HashMap<>();
    private final Set<Long> toGiveUp = new HashSet<>();

    /**
     * @param awaitedShards learns from this duty which participants do not answer
     * @param undo makes the command that decides an undecided intent as undone. The command answers whether the intent
     *     is decided afterwards
     * @param close makes the command that forgets a decided intent
     */
    public IntentFinish(
            Supplier<ReadView> committed,
            Shard shard,
            IntentPeers peers,
            AwaitedShards awaitedShards,
            Scheduler scheduler,
            LongFunction<InternalCommand<Boolean>> undo,
            LongFunction<InternalCommand<Boolean>> close) {
        this.committed = committed;
        this.shard = shard;
        this.peers = peers;
        this.awaitedShards = awaitedShards;
        this.undo = undo;
        this.close = close;
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

    @Override
    public void finish(long intent) {
        pacer.hand(() -> begin(intent));
    }

    @Override
    public void giveUp(long intent) {
        pacer.hand(() -> {
            toGiveUp.add(intent);
            undo(intent);
        });
    }

    private void round() {
        for (long intent : List.copyOf(toGiveUp)) {
            undo(intent);
        }
        long last = 0;
        List<Long> page;
        do {
            page = Intents.numbers(committed.get(), last, PAGE);
            for (long intent : page) {
                last = intent;
                if (!failed.containsKey(intent)) {
                    begin(intent);
                }
            }
        } while (page.size() == PAGE);
    }

    private void undo(long intent) {
        if (underWay.add(intent)) {
            Pacer.step(() -> submitUndo(intent), cause -> undoBroke(intent, cause));
        }
    }

    private void submitUndo(long intent) {
        InternalCommand<Boolean> command = undo.apply(intent);
        pacer.when(
                command.outcome(),
                (decided, failure) -> {
                    underWay.remove(intent);
                    if (failure != null) {
                        LOG.warn("intent {} could not be given up yet: {}", intent, failure.toString());
                        return;
                    }
                    toGiveUp.remove(intent);
                    if (decided) {
                        begin(intent);
                    } else {
                        awaitedShards.closed(intent);
                    }
                },
                cause -> undoBroke(intent, cause));
        shard.submit(command);
    }

    /** Handles an exception that an undo threw. The next round tries the undo again. */
    private void undoBroke(long intent, Throwable cause) {
        LOG.error("giving up intent {} broke", intent, cause);
        underWay.remove(intent);
    }

    private void begin(long intent) {
        Pacer.step(() -> beginIfDecided(intent), cause -> broke(intent, cause));
    }

    private void broke(long intent, Throwable cause) {
        LOG.error("finishing intent {} broke", intent, cause);
        again(intent, cause.toString());
    }

    private void beginIfDecided(long intent) {
        Optional<IntentRow> row = Intents.find(committed.get(), intent);
        if (row.isEmpty() || row.get().getState() != IntentRow.State.DECIDED) {
            failed.remove(intent);
            if (row.isEmpty()) {
                awaitedShards.closed(intent);
            }
            return;
        }
        if (underWay.add(intent)) {
            new Finish(intent, row.get()).begin();
        }
    }

    private void again(long intent, String why) {
        underWay.remove(intent);
        long pauseMillis = failed.computeIfAbsent(intent, each -> new Backoff(100, LONGEST_PAUSE_MILLIS))
                .failed();
        LOG.info("intent {} is not finished yet: {}; next try in {} ms", intent, why, pauseMillis);
        pacer.later(pauseMillis, () -> begin(intent));
    }

    /** One attempt to tell the outcome of one intent to all its participants. */
    private final class Finish {
        private final long intent;
        private final Map<Integer, List<FinishRequest.Slot>> others = new TreeMap<>();
        private final Map<Integer, List<FinishRequest.Slot>> last = new TreeMap<>();
        private int awaited;
        private String refusal = "";

        Finish(long intent, IntentRow row) {
            this.intent = intent;
            Set<Integer> holders = new HashSet<>();
            boolean moves = row.getSlotsList().stream().anyMatch(IntentRow.Slot::getCommit);
            row.getSlotsList().stream()
                    .filter(slot -> moves && slot.getHierarchy())
                    .forEach(slot -> holders.add(slot.getShard()));
            for (int i = 0; i < row.getSlotsCount(); i++) {
                IntentRow.Slot slot = row.getSlots(i);
                (holders.contains(slot.getShard()) ? last : others)
                        .computeIfAbsent(slot.getShard(), each -> new ArrayList<>())
                        .add(FinishRequest.Slot.newBuilder()
                                .setSlot(i)
                                .setCommit(slot.getCommit())
                                .build());
            }
        }

        void begin() {
            tell(others, () -> tell(last, this::close));
        }

        private void tell(Map<Integer, List<FinishRequest.Slot>> participants, Runnable then) {
            awaited = participants.size();
            if (awaited == 0) {
                then.run();
            }
            participants.forEach((participant, slots) -> pacer.when(
                    peers.finish(participant, intent, slots),
                    (reply, failure) -> told(participant, reply, failure, then),
                    cause -> broke(intent, cause)));
        }

        private void told(int participant, @Nullable Reply reply, @Nullable Throwable failure, Runnable then) {
            if (reply == null || !reply.isOk()) {
                refusal = "shard " + participant + " answered "
                        + (reply == null
                                ? String.valueOf(failure)
                                : reply.error() + ", " + reply.header().getMessage());
                awaitedShards.unanswered(participant, intent);
            } else {
                // The shard is back. So the other intents that wait for the shard are tried at once.
                awaitedShards.answered(participant, intent).forEach(IntentFinish.this::begin);
            }
            if (--awaited == 0) {
                if (refusal.isEmpty()) {
                    then.run();
                } else {
                    again(intent, refusal);
                }
            }
        }

        private void close() {
            InternalCommand<Boolean> command = close.apply(intent);
            pacer.when(
                    command.outcome(),
                    (done, failure) -> {
                        if (failure != null) {
                            again(intent, failure.toString());
                        } else {
                            underWay.remove(intent);
                            failed.remove(intent);
                            awaitedShards.closed(intent);
                        }
                    },
                    cause -> broke(intent, cause));
            shard.submit(command);
        }
    }
}
