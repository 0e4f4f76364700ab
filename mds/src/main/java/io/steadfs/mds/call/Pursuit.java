package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's operation on its way to an answer. The writer runs it again and again, each time with more answers of other
 * shards.
 *
 * <pre>
 *   run --needs--> ask, prepare --found--> run ... --answer--> client, then finish at the participants
 *    ^                  |
 *    +-- after a pause -+-- no definite answer (lock met): undo all, begin anew; in the end BUSY
 * </pre>
 *
 * A shard that is away stays away for longer than a lock is held, and each attempt leaves behind an intent that must be
 * finished with this shard. So once an intent is open, such a shard is not tried again. The client is answered BUSY at once
 * and comes back after a pause.
 *
 * <p>Nothing here is durable. A restarted shard undoes every intent that was not decided, and the client repeats its request.
 * Only one thing happens at a time, so the fields need no lock: each step starts after the one before has ended.
 */
final class Pursuit {
    private static final Logger LOG = LoggerFactory.getLogger(Pursuit.class);

    /** Most runs of one attempt. An operation needs one run for each thing that it learns on the way. */
    private static final int MAX_RUNS = 100;

    private final Answering answering;
    private final Principal principal;
    private final Operation<MessageLite> operation;
    private final PursuitGround ground;
    private final long beganNanos;

    private int runs;
    private int attempts;

    Pursuit(Answering answering, Principal principal, Operation<MessageLite> operation, PursuitGround ground) {
        this.answering = answering;
        this.principal = principal;
        this.operation = operation;
        this.ground = ground;
        this.beganNanos = ground.clock().monotonicNanos();
    }

    void begin() {
        attempts++;
        runs = 0;
        run(PeerAnswers.none(), 0, List.of());
    }

    private void run(PeerAnswers peerAnswers, long intent, List<Need.Prepare> slots) {
        if (++runs > MAX_RUNS) {
            giveUp(intent, "it needed more than " + MAX_RUNS + " looks at other shards");
            return;
        }
        ground.shard()
                .submit(new PursuedCommand(
                        this, answering, principal, ground.awaited(), operation, peerAnswers, intent, slots));
    }

    /** A run was committed. */
    void came(PursuedCommand.Outcome outcome, PeerAnswers peerAnswers) {
        if (outcome instanceof PursuedCommand.Outcome.Answered answered) {
            answering.reply(answered.reply());
            if (answered.intent() != 0) {
                ground.finisher().finish(answered.intent());
            }
        } else if (outcome instanceof PursuedCommand.Outcome.Wanting wanting) {
            try {
                find(wanting, peerAnswers);
            } catch (RuntimeException e) {
                LOG.error("{} could not ask other shards", answering, e);
                giveUp(wanting.intent(), "other shards could not be asked: " + e);
            }
        } else if (outcome instanceof PursuedCommand.Outcome.Held held) {
            giveUp(held.intent(), held.why());
        } else if (outcome instanceof PursuedCommand.Outcome.Crossed crossed) {
            answering.refuse(FsError.BUSY, crossed.why());
        }
    }

    /** A run did not take place, or was thrown away. */
    void dropped(long intent, FsError error, String why) {
        if (intent != 0) {
            ground.finisher().giveUp(intent);
        }
        answering.refuse(error, why);
    }

    private void find(PursuedCommand.Outcome.Wanting wanting, PeerAnswers peerAnswers) {
        Map<Need, CompletableFuture<Reply>> prepares = new HashMap<>();
        List<Need.Prepare> slots = wanting.slots();
        for (int slot = 0; slot < slots.size(); slot++) {
            Need.Prepare need = slots.get(slot);
            if (peerAnswers.find(need).isEmpty()) {
                prepares.put(need, prepare(wanting.intent(), slot, need));
            }
        }
        CompletableFuture<Map<Need, Reply>> asked = ground.asking().ask(wanting.asks(), principal, answering.traceId());
        var unused = Asking.gather(prepares)
                .thenCombine(asked, (held, facts) -> {
                    Map<Need, Reply> found = new HashMap<>(held);
                    found.putAll(facts);
                    return peerAnswers.with(found);
                })
                .whenComplete((found, failure) -> found(found, failure, peerAnswers, wanting));
    }

    private CompletableFuture<Reply> prepare(long intent, int slot, Need.Prepare need) {
        return ground.intents().prepare(need.shard(), intent, slot, need.action(), answering.traceId());
    }

    private void found(
            @Nullable PeerAnswers found,
            @Nullable Throwable failure,
            PeerAnswers before,
            PursuedCommand.Outcome.Wanting wanting) {
        if (found != null) {
            run(found, wanting.intent(), wanting.slots());
            return;
        }
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof Asking.LookAgain && wanting.intent() == 0) {
            run(before, 0, List.of());
            return;
        }
        String why = String.valueOf(cause == null ? "" : cause.getMessage());
        Set<Integer> away = cause instanceof Asking.Unanswered unanswered ? unanswered.away() : Set.of();
        if (away.isEmpty() || wanting.intent() == 0) {
            beginAgain(wanting.intent(), why);
            return;
        }
        wanting.slots().stream()
                .map(Need.Prepare::shard)
                .filter(away::contains)
                .forEach(shard -> ground.awaited().unanswered(shard, wanting.intent()));
        giveUp(wanting.intent(), why);
    }

    private void beginAgain(long intent, String why) {
        if (intent != 0) {
            ground.finisher().giveUp(intent);
        }
        if (answering.isCancelled()) {
            answering.refuse(FsError.CANCELLED, "cancelled while another shard was waited for: " + why);
        } else if (ground.clock().monotonicNanos() - beganNanos > ground.patienceNanos()) {
            answering.refuse(FsError.BUSY, why);
        } else {
            ground.scheduler().after(ground.pauseMillis(attempts), this::beginUnlessCancelled);
        }
    }

    private void beginUnlessCancelled() {
        if (answering.isCancelled()) {
            answering.refuse(FsError.CANCELLED, "cancelled while another shard was waited for");
        } else {
            begin();
        }
    }

    private void giveUp(long intent, String why) {
        if (intent != 0) {
            ground.finisher().giveUp(intent);
        }
        answering.refuse(FsError.BUSY, why);
    }
}
