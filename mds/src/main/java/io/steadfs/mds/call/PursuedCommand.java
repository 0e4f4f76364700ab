package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.IntentOpened;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One run of a client's operation through the writer, with the answers of other shards so far.
 *
 * <pre>
 *  run                              records
 *  -------------------------------  --------------------------------------------------------------
 *  needs facts only                 none
 *  needs something prepared         the intent with one more slot for each need, before any prepare is
 *                                   sent; none if too many intents wait for one of those shards
 *  decided, nothing was prepared    effects and reply
 *  decided, with an intent          effects, reply, and for each slot whether it commits; a slot that
 *                                   this run did not look at is undone; after a refusal all are undone
 * </pre>
 */
final class PursuedCommand implements Command<PursuedCommand.Outcome> {
    private static final int BYTES_BESIDE_BODY = 256;

    /** The result of a run. */
    sealed interface Outcome {
        /** The operation has an answer. The number is that of the intent; 0 = there is none. */
        record Answered(Reply reply, long intent) implements Outcome {}

        /** The operation must run again with answers to these needs. The slots are all slots of the intent, in order. */
        record Wanting(List<Need.Ask> asks, long intent, List<Need.Prepare> slots) implements Outcome {}

        /**
         * The operation needs a shard for which too many intents wait, or it needs too much altogether. The number is that of
         * the intent; 0 = there is none.
         */
        record Held(String why, long intent) implements Outcome {}

        /** The same request is already being processed, or its intent was given up meanwhile. */
        record Crossed(String why) implements Outcome {}
    }

    private final Pursuit pursuit;
    private final Answering answering;
    private final Principal principal;
    private final AwaitedShards awaited;
    private final Operation<MessageLite> operation;
    private final PeerAnswers peerAnswers;
    private final long intent;
    private final List<Need.Prepare> slots;

    /** @param intent 0 = no intent is open yet, and there are no slots */
    PursuedCommand(
            Pursuit pursuit,
            Answering answering,
            Principal principal,
            AwaitedShards awaited,
            Operation<MessageLite> operation,
            PeerAnswers peerAnswers,
            long intent,
            List<Need.Prepare> slots) {
        this.pursuit = pursuit;
        this.answering = answering;
        this.principal = principal;
        this.awaited = awaited;
        this.operation = operation;
        this.peerAnswers = peerAnswers;
        this.intent = intent;
        this.slots = List.copyOf(slots);
    }

    @Override
    public Decision<Outcome> decide(ReadView view, Inputs inputs) {
        RequestHeader header = answering.request().header();
        Optional<Long> underWay = Intents.ofRequest(view, header.getSession(), header.getRequestId());
        if (underWay.isPresent() && underWay.get() != intent) {
            return Decision.of(new Outcome.Crossed("the request is under way already, as intent " + underWay.get()));
        }
        if (intent != 0 && underWay.isEmpty()) {
            return Decision.of(new Outcome.Crossed("intent " + intent + " was given up"));
        }
        PeerAnswers run = peerAnswers.again();
        try {
            Decision<Reply> decision = operation.decide(answering.request().body(), principal, view, inputs.with(run));
            return decided(decision, run, view);
        } catch (Missing missing) {
            return wanting(missing.needs(), view);
        }
    }

    private Decision<Outcome> decided(Decision<Reply> decision, PeerAnswers run, ReadView view) {
        Reply reply = decision.answer();
        if (intent == 0) {
            return new Decision<>(decision.records(), new Outcome.Answered(reply, 0));
        }
        boolean done = reply.error() == FsError.OK || reply.error() == FsError.CONTINUE;
        IntentRow.Builder row =
                Intents.find(view, intent).orElseThrow().toBuilder().setState(IntentRow.State.DECIDED);
        for (int i = 0; i < slots.size(); i++) {
            row.getSlotsBuilder(i).setCommit(done && run.used().contains(slots.get(i)));
        }
        List<LogRecord> records = new ArrayList<>(decision.records());
        records.add(new IntentDecided(intent, row.build()));
        return new Decision<>(records, new Outcome.Answered(reply, intent));
    }

    private Decision<Outcome> wanting(Set<Need> needs, ReadView view) {
        List<Need.Ask> asks = new ArrayList<>();
        List<Need.Prepare> all = new ArrayList<>(slots);
        Set<Need> known = new HashSet<>(slots);
        for (Need need : needs) {
            if (need instanceof Need.Ask ask) {
                asks.add(ask);
            } else if (need instanceof Need.Prepare prepare && known.add(prepare)) {
                all.add(prepare);
            }
        }
        if (all.size() == slots.size()) {
            return Decision.of(new Outcome.Wanting(asks, intent, all));
        }
        if (all.size() > PreparedSlots.MOST_OF_INTENT) {
            String why = "it needs more than " + PreparedSlots.MOST_OF_INTENT + " things held at other shards";
            return Decision.of(new Outcome.Held(why, intent));
        }
        for (Need.Prepare added : all.subList(slots.size(), all.size())) {
            if (awaited.isFull(added.shard())) {
                String why = "shard " + added.shard() + " does not answer, and " + AwaitedShards.MOST
                        + " operations or more wait for it already";
                return Decision.of(new Outcome.Held(why, intent));
            }
        }
        long next = Intents.next(view);
        long number = intent != 0 ? intent : next;
        IntentRow.Builder row = IntentRow.newBuilder()
                .setState(IntentRow.State.OPEN)
                .setSession(answering.request().header().getSession())
                .setRequestId(answering.request().header().getRequestId());
        for (Need.Prepare each : all) {
            row.addSlots(IntentRow.Slot.newBuilder()
                    .setShard(each.shard())
                    .setHierarchy(each.action().getActionCase() == PrepareAction.ActionCase.LOCK_HIERARCHY
                            && each.shard() == Handle.ROOT.shard()));
        }
        return Decision.of(
                new Outcome.Wanting(asks, number, all),
                new IntentOpened(number, row.build(), Math.max(next, number + 1)));
    }

    @Override
    public void deciding() {
        answering.mark(Moment.STARTED);
    }

    @Override
    public void committing() {
        answering.mark(Moment.COMMIT_BEGUN);
    }

    @Override
    public void committed() {
        answering.mark(Moment.COMMIT_ENDED);
    }

    @Override
    public void answered(Outcome outcome) {
        pursuit.came(outcome, peerAnswers);
    }

    @Override
    public void failed(Throwable cause) {
        answering.refuse(
                FsError.TIMED_OUT, "the shard stopped while it wrote its log; whether the request was done is unknown");
    }

    @Override
    public void dropped(FsError error, String why) {
        pursuit.dropped(intent, error, why);
    }

    @Override
    public boolean isCancelled() {
        return answering.isCancelled();
    }

    @Override
    public int sizeBytes() {
        return BYTES_BESIDE_BODY + answering.request().body().getSerializedSize();
    }

    @Override
    public String toString() {
        return answering.toString();
    }
}
