package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes a pursued command through the writer once, with the answers of other shards so far.
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
 *
 * A command of a request may need something prepared, and one of a duty that says so. The decision of another command
 * breaks if it needs that.
 */
final class PursuedCommand<A> implements Command<PursuedCommand.Outcome<A>> {
    /** The result of a run. */
    sealed interface Outcome<A> {
        /** The command has an answer. */
        record Answered<A>(A answer, PursuedIntent intent) implements Outcome<A> {}

        /** The command must run again. The next run needs answers to the asks and to all slots of the intent. */
        record Wanting<A>(List<Need.Ask> asks, PursuedIntent intent) implements Outcome<A> {}

        /** Too many intents wait for a shard that the command needs, or the command needs too much altogether. */
        record Held<A>(String why, PursuedIntent intent) implements Outcome<A> {}

        /** Another pursuit processes the same request, or somebody gave up the intent meanwhile. */
        record Crossed<A>(String why) implements Outcome<A> {}
    }

    private final Pursuit<A> pursuit;
    private final Pursued<A> pursued;
    private final AwaitedShards awaited;
    private final PeerAnswers peerAnswers;
    private final PursuedIntent intent;

    PursuedCommand(
            Pursuit<A> pursuit,
            Pursued<A> pursued,
            AwaitedShards awaited,
            PeerAnswers peerAnswers,
            PursuedIntent intent) {
        this.pursuit = pursuit;
        this.pursued = pursued;
        this.awaited = awaited;
        this.peerAnswers = peerAnswers;
        this.intent = intent;
    }

    @Override
    public Decision<Outcome<A>> decide(ReadView view, Inputs inputs) {
        Optional<String> crossed = intent.crossed(pursued.key(), view);
        if (crossed.isPresent()) {
            return Decision.of(new Outcome.Crossed<>(crossed.get()));
        }
        PeerAnswers run = peerAnswers.again();
        try {
            return decided(pursued.command().decide(view, inputs.with(run)), run, view);
        } catch (Missing missing) {
            return wanting(missing.needs(), view);
        }
    }

    private Decision<Outcome<A>> decided(Decision<A> decision, PeerAnswers run, ReadView view) {
        List<LogRecord> records = new ArrayList<>(decision.records());
        if (intent.isOpen()) {
            boolean done = pursued.done().test(decision.answer());
            records.add(intent.decided(slot -> done && run.used().contains(slot), view));
        }
        return new Decision<>(
                records, new Outcome.Answered<>(decision.answer(), intent), decision.early() && !intent.isOpen());
    }

    private Decision<Outcome<A>> wanting(Set<Need> needs, ReadView view) {
        List<Need.Ask> asks = new ArrayList<>();
        List<Need.Prepare> slots = new ArrayList<>(intent.slots());
        Set<Need> known = new HashSet<>(slots);
        for (Need need : needs) {
            if (need instanceof Need.Ask ask) {
                asks.add(ask);
            } else if (need instanceof Need.Prepare prepare && known.add(prepare)) {
                slots.add(prepare);
            }
        }
        List<Need.Prepare> added = slots.subList(intent.slots().size(), slots.size());
        if (added.isEmpty()) {
            return Decision.of(new Outcome.Wanting<>(asks, intent));
        }
        PursuitKey.OfRequest request = pursued.key()
                .ofIntent()
                .orElseThrow(() -> new IllegalStateException(
                        pursued.key() + " needs something held at other shards, which it may not need: " + added));
        Optional<String> held = whyHeld(slots.size(), added);
        if (held.isPresent()) {
            return Decision.of(new Outcome.Held<>(held.get(), intent));
        }
        PursuedIntent wider = intent.with(slots, view);
        return Decision.of(new Outcome.Wanting<>(asks, wider), wider.opened(request, view));
    }

    private Optional<String> whyHeld(int slots, List<Need.Prepare> added) {
        if (slots > PreparedSlots.MOST_OF_INTENT) {
            return Optional.of("it needs more than " + PreparedSlots.MOST_OF_INTENT + " things held at other shards");
        }
        return added.stream()
                .filter(each -> awaited.isFull(each.shard()))
                .findFirst()
                .map(each -> "shard " + each.shard() + " does not answer, and " + AwaitedShards.MOST
                        + " operations or more wait for it already");
    }

    @Override
    public void deciding() {
        pursued.command().deciding();
    }

    @Override
    public void committing() {
        pursued.command().committing();
    }

    @Override
    public void committed() {
        pursued.command().committed();
    }

    @Override
    public void answered(Outcome<A> outcome) {
        pursuit.came(outcome, peerAnswers);
    }

    @Override
    public void failed(Throwable cause) {
        pursued.command().failed(cause);
    }

    @Override
    public void dropped(FsError error, String why) {
        pursuit.dropped(intent, error, why);
    }

    @Override
    public boolean isCancelled() {
        return pursued.command().isCancelled();
    }

    @Override
    public boolean mayRunHere() {
        return pursued.command().mayRunHere();
    }

    @Override
    public boolean mayBeDecidedHere() {
        return pursued.command().mayBeDecidedHere();
    }

    @Override
    public int sizeBytes() {
        return pursued.command().sizeBytes();
    }

    @Override
    public String toString() {
        return pursued.toString();
    }
}
