package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a command to its answer if the decision of the command needs other shards. A client or a duty began the
 * command. The writer runs the decision again and again, each time with more answers of other shards.
 *
 * <pre>
 *   run --needs--> ask, prepare --found--> run ... --answer--> command, then finish at the participants
 *    ^                  |
 *    +-- after a pause -+-- no definite answer (lock met): undo all, begin anew; in the end BUSY
 * </pre>
 *
 * <p>A shard that is away stays away for longer than a lock is held. Each attempt leaves behind an intent that must be
 * finished with the shard that is away. After an intent was opened, the pursuit therefore does not try such a shard
 * again. The command gets BUSY at once, and the client comes back after a pause.
 *
 * <ul>
 *   <li>The command gets exactly one outcome: an answer, a failure, or a reason why the command was dropped.
 *   <li>An answer of another shard counts only in the attempt that asked for the answer.
 *   <li>After a command is cancelled, its decision does not run again and no other shard is asked.
 *   <li>Only the intent of a pursuit is durable. A restarted shard undoes every intent that was not decided. A client
 *       repeats its request after the restart, and a duty begins anew.
 * </ul>
 *
 * Each step of a pursuit starts after the step before has ended, so the fields need no lock.
 */
final class Pursuit<A> {
    private static final Logger LOG = LoggerFactory.getLogger(Pursuit.class);

    /** Largest number of runs of one attempt. A decision needs one run for each thing that it learns on the way. */
    private static final int MAX_RUNS = 100;

    private final Pursued<A> pursued;
    private final PursuitGround ground;
    private final long beganNanos;

    private int runs;
    private int attempts;

    Pursuit(Pursued<A> pursued, PursuitGround ground) {
        this.pursued = pursued;
        this.ground = ground;
        this.beganNanos = ground.clock().monotonicNanos();
    }

    void begin() {
        attempts++;
        runs = 0;
        run(PeerAnswers.none(), PursuedIntent.NONE);
    }

    private void run(PeerAnswers peerAnswers, PursuedIntent intent) {
        if (++runs > MAX_RUNS) {
            giveUp(intent, "it needed more than " + MAX_RUNS + " looks at other shards");
            return;
        }
        ground.shard().submit(new PursuedCommand<>(this, pursued, ground.awaited(), peerAnswers, intent));
    }

    /** Takes the outcome of a run after the run was committed. */
    void came(PursuedCommand.Outcome<A> outcome, PeerAnswers peerAnswers) {
        if (outcome instanceof PursuedCommand.Outcome.Answered<A> answered) {
            pursued.command().answered(answered.answer());
            if (answered.intent().isOpen()) {
                ground.finisher().finish(answered.intent().number());
            }
        } else if (outcome instanceof PursuedCommand.Outcome.Wanting<A> wanting) {
            find(wanting, peerAnswers);
        } else if (outcome instanceof PursuedCommand.Outcome.Held<A> held) {
            giveUp(held.intent(), held.why());
        } else if (outcome instanceof PursuedCommand.Outcome.Crossed<A> crossed) {
            // The client asks again under the same id, and nowhere else.
            dropped(PursuedIntent.NONE, FsError.TIMED_OUT, crossed.why());
        }
    }

    /** Gives the command up. This pursuit has done nothing of the command, and an open intent is undone. */
    void dropped(PursuedIntent intent, FsError error, String why) {
        if (intent.isOpen()) {
            ground.finisher().giveUp(intent.number());
        }
        pursued.command().dropped(error, why);
    }

    private void giveUp(PursuedIntent intent, String why) {
        dropped(intent, FsError.BUSY, why);
    }

    private void find(PursuedCommand.Outcome.Wanting<A> wanting, PeerAnswers peerAnswers) {
        if (pursued.command().isCancelled()) {
            dropped(wanting.intent(), FsError.CANCELLED, "cancelled before other shards were asked");
            return;
        }
        try {
            ask(wanting, peerAnswers);
        } catch (RuntimeException | Error e) {
            // Nobody else tells the command its outcome, so its client or duty would wait for ever.
            LOG.error("{} could not ask other shards", pursued, e);
            giveUp(wanting.intent(), "other shards could not be asked: " + e);
        }
    }

    private void ask(PursuedCommand.Outcome.Wanting<A> wanting, PeerAnswers peerAnswers) {
        Map<Need, CompletableFuture<Reply>> prepares = new LinkedHashMap<>();
        List<Need.Prepare> slots = wanting.intent().slots();
        for (int slot = 0; slot < slots.size(); slot++) {
            Need.Prepare need = slots.get(slot);
            if (peerAnswers.find(need).isEmpty()) {
                prepares.put(need, prepare(wanting.intent().number(), slot, need));
            }
        }
        CompletableFuture<Map<Need, Reply>> asked =
                ground.asking().ask(wanting.asks(), pursued.principal(), pursued.traceId());
        var unused = Asking.gather(prepares)
                .thenCombine(asked, (held, facts) -> {
                    Map<Need, Reply> found = new HashMap<>(held);
                    found.putAll(facts);
                    return peerAnswers.with(found);
                })
                .whenComplete((found, failure) -> found(found, failure, peerAnswers, wanting.intent()));
    }

    private CompletableFuture<Reply> prepare(long intent, int slot, Need.Prepare need) {
        return ground.intents().prepare(need.shard(), intent, slot, need.action(), pursued.traceId());
    }

    private void found(
            @Nullable PeerAnswers found, @Nullable Throwable failure, PeerAnswers before, PursuedIntent intent) {
        if (found != null) {
            run(found, intent);
            return;
        }
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof Asking.LookAgain && !intent.isOpen()) {
            run(before, PursuedIntent.NONE);
            return;
        }
        String why = String.valueOf(cause == null ? "" : cause.getMessage());
        Set<Integer> away = cause instanceof Asking.Unanswered unanswered ? unanswered.away() : Set.of();
        if (away.isEmpty() || !intent.isOpen()) {
            beginAgain(intent, why);
            return;
        }
        intent.slots().stream()
                .map(Need.Prepare::shard)
                .filter(away::contains)
                .forEach(shard -> ground.awaited().unanswered(shard, intent.number()));
        giveUp(intent, why);
    }

    private void beginAgain(PursuedIntent intent, String why) {
        if (pursued.command().isCancelled()) {
            dropped(intent, FsError.CANCELLED, "cancelled while another shard was waited for: " + why);
        } else if (ground.clock().monotonicNanos() - beganNanos >= ground.patienceNanos()) {
            giveUp(intent, why);
        } else {
            if (intent.isOpen()) {
                ground.finisher().giveUp(intent.number());
            }
            ground.scheduler().after(ground.pauseMillis(attempts), this::beginUnlessCancelled);
        }
    }

    private void beginUnlessCancelled() {
        if (pursued.command().isCancelled()) {
            dropped(PursuedIntent.NONE, FsError.CANCELLED, "cancelled while another shard was waited for");
        } else {
            begin();
        }
    }
}
