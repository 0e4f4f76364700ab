package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.Cell.zero;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * A shard, the holder, resolves paths with a copy of a row of another shard, the owner. Each change of the row gives it a new
 * meaning, and is decided when no copy of the older one is good: the holder has answered a recall, or the term of each copy is
 * over. Each copy has a term of its own. A question of the holder gets its copy by one answer alone, and none after a recall.
 *
 * <p>At the holder a writer decides a batch with the copy, and makes it durable later. A reader resolves a path with the copy,
 * or asks by a handle that it knows. These are wrong:
 *
 * <ul>
 *   <li>D1: what began after a change was acknowledged is decided, or read, with the older meaning.
 *   <li>ORDER: somebody who knew of a change was answered without a batch that used the older meaning, and that is durable in
 *       the end.
 *   <li>VIEW: a reader resolved with the older meaning in a state that has a batch of the newer one.
 *   <li>D4: a change waits for longer than a term.
 * </ul>
 *
 * Any message may be lost, late and doubled. Each shard may start anew. Ticks pass between any two steps, so a shard may stand
 * still at any place.
 *
 * <pre>
 *  change   hold and recall ── all answered, or terms over ──► decided ── durable, acknowledged ──► no hold
 *                    └── gives up ──► owes: gives no copy until answered, or terms over
 *  giving   note the holder, unless held or owed ── read the row ──► answer
 *  holder   no copy ── answer to an open question ──► copy ── recall, term over, starts anew ──► no copy
 *  batch    decided ── end of term published ── term looked at once more ──► commits ──► durable
 *                                                    └── over: thrown away
 *  reader   notes the copy ── no late batch ── takes its view ── the copy is good yet ──► answers
 * </pre>
 */
final class AncestorCopy implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** The holder answers a recall before a batch that was decided with the copy is durable. */
        ANSWER_AFTER_THE_BATCH,
        /** A read is answered while a batch is not durable that was decided within a term which is over. */
        NO_READ_WITH_A_LATE_BATCH,
        /** A reader looks for a late batch only after it has taken its view. */
        LATE_BATCH_BEFORE_VIEW,
        /** The writer publishes the end of a batch's term after its last look at the term. */
        END_BEFORE_LAST_LOOK,
        /** The writer commits without another look at the term. */
        LAST_LOOK,
        /** A recall leaves open questions open. */
        RECALL_OF_QUESTIONS,
        /** A holder that starts anew takes answers to its earlier life. */
        QUESTIONS_OF_ONE_LIFE,
        /** The owner takes an answer to an earlier recall for one to the last. */
        NUMBER_OF_RECALLS,
        /** The owner gives a copy while a change is under way. */
        HELD_ROW,
        /** The owner gives copies again when a change is decided, and not durable yet. */
        HOLD_UNTIL_DURABLE,
        /** The owner reads the row before it notes the holder. */
        NOTE_BEFORE_READ,
        /** The owner gives a copy after it gave a change up, while a recall is not answered. */
        OWED_RECALL,
        /** The holder counts its term from the answer. */
        TERM_FROM_THE_QUESTION,
        /** The holder uses a copy whose term is over. */
        TERM,
        /** An owner that starts anew waits for nobody. */
        TERM_OF_AN_EARLIER_LIFE,
        /** A reader takes its view before it notes the copy. */
        COPY_BEFORE_VIEW,
        /** A reader answers without another look at the copy. */
        COPY_AFTER_VIEW
    }

    /** What a model may have or not, so that there are fewer states. */
    enum More {
        /** A reader that resolves a path. */
        READER,
        /** A reader that asks by a handle and knows of every change that was acknowledged before. */
        READER_BY_HANDLE,
        /** The owner may give a change up, once. */
        GIVING_UP,
        /** The owner may start anew, once. */
        START_OF_OWNER,
        /** The holder may start anew, once. */
        START_OF_HOLDER
    }

    /**
     * @param changes most changes of the row
     * @param questions most questions of the holder
     * @param ticks the last tick of the clock
     * @param more what else there is
     */
    record Kind(int changes, int questions, int ticks, Set<More> more, Set<Without> without) {
        Kind(int changes, int questions, int ticks, More... more) {
            this(changes, questions, ticks, Set.of(more), Set.of());
        }

        Kind without(Without one) {
            return new Kind(changes, questions, ticks, more, Set.of(one));
        }

        boolean has(More one) {
            return more.contains(one);
        }
    }

    /** Ticks of a term. */
    private static final int TERM = 2;

    private static final int MOST_BATCHES = 2;

    // A question.
    private static final int OPEN = 1;
    private static final int CLOSED = 2;

    // The batch at work.
    private static final int NONE = 0;
    private static final int DECIDED = 1;
    private static final int PUBLISHED = 2;
    private static final int COMMITS = 3;

    // The change at work.
    private static final int FREE = 0;
    private static final int WAITS = 1;
    private static final int CHANGE_DECIDED = 2;

    /** A reader takes these steps in an order, and then answers. */
    private enum Reading {
        NOTE,
        LOOK,
        VIEW
    }

    private static final List<String> WRONGS = List.of(
            "",
            "D1: a batch was decided with a meaning whose end was acknowledged before",
            "D1: a reader resolved with a meaning whose end was acknowledged before",
            "ORDER: a batch of the older meaning became durable after somebody who knew the newer one was answered without it",
            "ORDER: somebody who knew the newer meaning was answered without a durable batch of the older one",
            "VIEW: a reader resolved with the older meaning in a state that has a batch of the newer one");

    /** A question of the holder: when it was asked, in which life, and the copies that were sent for it, by their meaning. */
    private record Question(Cell is, Cell askedAt, Cell life, List<Cell> copySent) {
        Question(Cell.Maker cells, Kind kind) {
            this(cells.cell(3), cells.cell(kind.ticks() + 1), cells.cell(2), cells.cells(kind.changes() + 1, 2));
        }
    }

    private final Kind kind;
    /** Recalls have numbers from 1 on. */
    private final int recalls;

    private final Cell clock;

    // The owner. How many changes were acknowledged is durable. Ends are ticks; 0 if there is nothing to wait for.
    private final Cell meaning;
    private final Cell change;
    /** When the recall began that is owed. */
    private final Cell began;

    private final Cell recall;
    private final Cell owed;
    private final Cell owedEnd;
    private final Cell ownersEnd;
    private final Cell giving;
    private final Cell givingTo;
    private final Cell givingRead;
    private final Cell formerEnd;
    private final Cell ownerStarts;
    private final Cell gaveUp;

    // The holder: durable. Batches have their meanings, one after the other.
    private final Cell batches;
    private final List<Cell> usedBy;

    // The holder: in memory. A copy is one more than its meaning; it came by a question.
    private final Cell holderStarts;
    private final Cell copy;
    private final Cell copyQuestion;
    private final Cell copyEnd;
    private final Cell recalled;
    private final Cell batch;
    private final Cell batchUsed;
    private final Cell batchStale;
    private final Cell batchEnd;

    // A reader at the holder, and the newest meaning that anybody knew who was answered.
    private final Cell reader;
    private final Cell readerKnows;
    private final Cell readerQuestion;
    private final Cell readerStale;
    private final Cell readerBatches;
    private final Cell newestAnswered;

    private final Cell wrong;

    // Messages: sent once, there for ever.
    private final List<Cell> recallSent;
    private final List<Cell> answerSent;
    private final List<Question> questions = new ArrayList<>();

    AncestorCopy(Kind kind) {
        this.kind = kind;
        recalls = 1 + kind.changes() + (kind.has(More.GIVING_UP) ? 1 : 0) + (kind.has(More.START_OF_OWNER) ? 1 : 0);
        Cell.Maker cells = new Cell.Maker();
        int ends = kind.ticks() + TERM + 1;
        clock = cells.cell(kind.ticks() + 1);
        meaning = cells.cell(kind.changes() + 1);
        change = cells.cell(3);
        began = cells.cell(kind.ticks() + 1);
        recall = cells.cell(recalls);
        owed = cells.cell(2);
        owedEnd = cells.cell(ends);
        ownersEnd = cells.cell(ends);
        giving = cells.cell(2);
        givingTo = cells.cell(Math.max(2, kind.questions()));
        givingRead = cells.cell(kind.changes() + 1);
        formerEnd = cells.cell(ends);
        ownerStarts = cells.cell(2);
        gaveUp = cells.cell(2);
        batches = cells.cell(MOST_BATCHES + 1);
        usedBy = cells.cells(MOST_BATCHES, kind.changes() + 1);
        holderStarts = cells.cell(2);
        copy = cells.cell(kind.changes() + 2);
        copyQuestion = cells.cell(Math.max(2, kind.questions()));
        copyEnd = cells.cell(ends);
        recalled = cells.cell(recalls);
        batch = cells.cell(4);
        batchUsed = cells.cell(kind.changes() + 1);
        batchStale = cells.cell(2);
        batchEnd = cells.cell(ends);
        reader = cells.cell(4);
        readerKnows = cells.cell(kind.changes() + 1);
        readerQuestion = cells.cell(Math.max(2, kind.questions()));
        readerStale = cells.cell(2);
        readerBatches = cells.cell(MOST_BATCHES + 1);
        newestAnswered = cells.cell(kind.changes() + 1);
        wrong = cells.cell(WRONGS.size());
        recallSent = cells.cells(recalls, 2);
        answerSent = cells.cells(recalls, 2);
        for (int q = 0; q < kind.questions(); q++) {
            questions.add(new Question(cells, kind));
        }
    }

    private boolean without(Without one) {
        return kind.without().contains(one);
    }

    @Override
    public Packed start() {
        return Packed.ZERO;
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        if (clock.of(state) < kind.ticks()) {
            to.accept("a tick passes", clock.with(state, clock.of(state) + 1));
        }
        changes(state, to);
        for (int q = 0; q < questions.size(); q++) {
            question(state, q, questions.get(q), to);
        }
        recalls(state, to);
        writer(state, to);
        reads(state, to);
        starts(state, to);
    }

    // The owner.

    private boolean isOver(Cell end, Packed state) {
        return end.of(state) <= clock.of(state);
    }

    /** Whether nobody can have a good copy, by what the owner knows. */
    private boolean mayDecide(Packed state) {
        return (!owed.isSet(state) || isOver(owedEnd, state)) && isOver(formerEnd, state);
    }

    private void changes(Packed state, BiConsumer<String, Packed> to) {
        if (owed.isSet(state) && isOver(owedEnd, state)) {
            to.accept("the owner sees that the terms are over", withoutOwed(state));
        }
        if (change.is(state, FREE)) {
            if (meaning.of(state) < kind.changes() && recall.of(state) + 1 < recalls) {
                to.accept("a change holds the row, and recalls copies", change.with(afterRecall(state), WAITS));
            }
            return;
        }
        if (change.is(state, WAITS) && mayDecide(state)) {
            to.accept("the change is decided", change.with(state, CHANGE_DECIDED));
        }
        if (change.is(state, CHANGE_DECIDED)) {
            int next = meaning.of(state) + 1;
            Packed after = meaning.with(withoutOwed(zero(state, change)), next);
            to.accept("change " + next + " is durable and acknowledged", after);
        } else if (kind.has(More.GIVING_UP) && !gaveUp.isSet(state)) {
            to.accept("the change is given up", gaveUp.set(change.with(state, FREE)));
        }
    }

    /** Sends a recall if somebody may have a copy. An older recall that is owed goes on being so. */
    private Packed afterRecall(Packed state) {
        if (isOver(ownersEnd, state)) {
            return state;
        }
        int next = recall.of(state) + 1;
        Packed after = owed.isSet(state) ? state : began.with(owed.set(state), clock.of(state));
        after = owedEnd.with(recall.with(after, next), Math.max(owedEnd.of(state), ownersEnd.of(state)));
        return recallSent.get(next).set(ownersEnd.with(after, 0));
    }

    private Packed withoutOwed(Packed state) {
        return zero(state, owed, owedEnd, began);
    }

    private boolean isHeld(Packed state) {
        boolean held =
                change.is(state, WAITS) || (change.is(state, CHANGE_DECIDED) && !without(Without.HOLD_UNTIL_DURABLE));
        boolean owes = owed.isSet(state) && change.is(state, FREE);
        return (held && !without(Without.HELD_ROW)) || (owes && !without(Without.OWED_RECALL));
    }

    private void question(Packed state, int q, Question question, BiConsumer<String, Packed> to) {
        if (!question.is().isSet(state)) {
            if (q == 0 || questions.get(q - 1).is().isSet(state)) {
                Packed after = question.askedAt().with(question.is().with(state, OPEN), clock.of(state));
                to.accept("the holder asks: question " + q, question.life().with(after, holderStarts.of(state)));
            }
            return;
        }
        give(state, q, question, to);
        for (int m = 0; m <= kind.changes(); m++) {
            if (isOpen(state, question) && question.copySent().get(m).isSet(state)) {
                int from = without(Without.TERM_FROM_THE_QUESTION)
                        ? clock.of(state)
                        : question.askedAt().of(state);
                Packed after = copyQuestion.with(copy.with(state, 1 + m), q);
                after = copyEnd.with(question.is().with(after, CLOSED), from + TERM);
                to.accept("the holder receives the copy of meaning " + m + " for question " + q, after);
            }
        }
    }

    /** Two steps: the holder is noted, the row read. */
    private void give(Packed state, int q, Question question, BiConsumer<String, Packed> to) {
        boolean readFirst = without(Without.NOTE_BEFORE_READ);
        if (!giving.isSet(state)) {
            Packed begun = givingTo.with(giving.set(state), q);
            if (readFirst) {
                to.accept("the owner reads the row", givingRead.with(begun, meaning.of(state)));
            } else if (!isHeld(state)) {
                to.accept("the owner notes the holder for question " + q, noted(begun));
            }
        } else if (givingTo.is(state, q)) {
            int m = readFirst ? givingRead.of(state) : meaning.of(state);
            Packed after = zero(state, giving, givingTo, givingRead);
            if (!readFirst || !isHeld(state)) {
                after = question.copySent().get(m).set(readFirst ? noted(after) : after);
            }
            to.accept("the owner answers question " + q + " with meaning " + m, after);
        }
    }

    private Packed noted(Packed state) {
        return ownersEnd.with(state, Math.max(ownersEnd.of(state), clock.of(state) + TERM));
    }

    // The holder.

    private boolean isCopyGood(Packed state) {
        return copy.isSet(state) && (!isOver(copyEnd, state) || without(Without.TERM));
    }

    private void recalls(Packed state, BiConsumer<String, Packed> to) {
        for (int n = 1; n < recalls; n++) {
            if (!recallSent.get(n).isSet(state)) {
                continue;
            }
            Packed after = recalled.with(zero(state, copy, copyQuestion, copyEnd), Math.max(n, recalled.of(state)));
            after = without(Without.RECALL_OF_QUESTIONS) ? after : withoutQuestions(after);
            to.accept("the holder receives recall " + n, after);
            boolean passes = batch.is(state, NONE) || without(Without.ANSWER_AFTER_THE_BATCH);
            if (recalled.of(state) >= n && passes) {
                to.accept("the holder answers recall " + n, answerSent.get(n).set(state));
            }
            boolean last = recall.is(state, n) || without(Without.NUMBER_OF_RECALLS);
            if (answerSent.get(n).isSet(state) && owed.isSet(state) && last) {
                to.accept("the owner receives the answer to recall " + n, withoutOwed(state));
            }
        }
    }

    private boolean isOpen(Packed state, Question question) {
        boolean sameLife = question.life().is(state, holderStarts.of(state));
        return question.is().is(state, OPEN) && (sameLife || without(Without.QUESTIONS_OF_ONE_LIFE));
    }

    /** A holder knows the questions of its own life. */
    private Packed withoutQuestions(Packed state) {
        Packed after = state;
        for (Question question : questions) {
            boolean known = question.life().is(state, holderStarts.of(state))
                    && question.is().is(state, OPEN);
            after = known ? question.is().with(after, CLOSED) : after;
        }
        return after;
    }

    private void writer(Packed state, BiConsumer<String, Packed> to) {
        boolean lookFirst = without(Without.END_BEFORE_LAST_LOOK);
        if (batch.is(state, NONE)) {
            if (isCopyGood(state) && batches.of(state) < MOST_BATCHES) {
                boolean stale = copy.of(state) - 1 < meaning.of(state);
                Packed after = batchUsed.with(batch.with(state, DECIDED), copy.of(state) - 1);
                after = batchEnd.with(batchStale.with(after, stale ? 1 : 0), copyEnd.of(state));
                to.accept("the writer decides a batch with meaning " + (copy.of(state) - 1), after);
            }
        } else if (batch.is(state, COMMITS)) {
            to.accept("the batch becomes durable", afterBatch(state));
        } else if (batch.is(state, DECIDED) == lookFirst) {
            boolean commits = !isOver(batchEnd, state) || without(Without.LAST_LOOK);
            Packed after = lookFirst ? batch.with(state, PUBLISHED) : batch.with(state, COMMITS);
            to.accept("the writer looks at the term", commits ? after : withoutBatch(state));
        } else {
            Packed after = lookFirst ? batch.with(state, COMMITS) : batch.with(state, PUBLISHED);
            to.accept("the writer publishes the end of the batch's term", after);
        }
    }

    private Packed withoutBatch(Packed state) {
        return zero(state, batch, batchUsed, batchStale, batchEnd);
    }

    private Packed afterBatch(Packed state) {
        int used = batchUsed.of(state);
        int wrongs = batchStale.isSet(state) ? 1 : used < newestAnswered.of(state) ? 3 : 0;
        Packed after = usedBy.get(batches.of(state)).with(withoutBatch(state), used);
        return wrong.with(batches.with(after, batches.of(state) + 1), wrongs);
    }

    /** Whether readers can see that a batch is not durable that was decided within a term which is over. */
    private boolean isBatchLate(Packed state) {
        boolean published =
                without(Without.END_BEFORE_LAST_LOOK) ? batch.is(state, COMMITS) : batch.of(state) >= PUBLISHED;
        return published && isOver(batchEnd, state);
    }

    private void reads(Packed state, BiConsumer<String, Packed> to) {
        boolean byHandle = kind.has(More.READER_BY_HANDLE);
        if (!byHandle && !kind.has(More.READER)) {
            return;
        }
        List<Reading> order = order();
        int next = reader.of(state);
        if (next == order.size()) {
            answer(state, byHandle, to);
            return;
        }
        switch (order.get(next)) {
            case NOTE -> note(state, next + 1, byHandle, to);
            case LOOK -> seeLate(state, next + 1, to);
            case VIEW -> view(state, next + 1, to);
        }
    }

    private List<Reading> order() {
        if (without(Without.COPY_BEFORE_VIEW)) {
            return List.of(Reading.VIEW, Reading.NOTE, Reading.LOOK);
        }
        return without(Without.LATE_BATCH_BEFORE_VIEW)
                ? List.of(Reading.NOTE, Reading.VIEW, Reading.LOOK)
                : List.of(Reading.NOTE, Reading.LOOK, Reading.VIEW);
    }

    private void note(Packed state, int next, boolean byHandle, BiConsumer<String, Packed> to) {
        Packed after = reader.with(state, next);
        if (byHandle) {
            to.accept("somebody asks by a handle", readerKnows.with(after, meaning.of(state)));
        } else if (isCopyGood(state)) {
            boolean stale = copy.of(state) - 1 < meaning.of(state);
            after = readerKnows.with(after, copy.of(state) - 1);
            after = readerQuestion.with(after, copyQuestion.of(state));
            to.accept("a reader notes the copy", readerStale.with(after, stale ? 1 : 0));
        }
    }

    private void seeLate(Packed state, int next, BiConsumer<String, Packed> to) {
        if (!isBatchLate(state) || without(Without.NO_READ_WITH_A_LATE_BATCH)) {
            to.accept("the reader sees no late batch", reader.with(state, next));
        }
    }

    private void view(Packed state, int next, BiConsumer<String, Packed> to) {
        to.accept("the reader takes its view", readerBatches.with(reader.with(state, next), batches.of(state)));
    }

    private void answer(Packed state, boolean byHandle, BiConsumer<String, Packed> to) {
        Packed after = withoutReader(state);
        boolean same = isCopyGood(state)
                && copy.of(state) - 1 == readerKnows.of(state)
                && copyQuestion.of(state) == readerQuestion.of(state);
        if (same || byHandle || without(Without.COPY_AFTER_VIEW)) {
            int newest = Math.max(newestAnswered.of(state), readerKnows.of(state));
            to.accept(
                    "the reader is answered", wrong.with(newestAnswered.with(after, newest), wrongOf(state, byHandle)));
        } else {
            to.accept("the reader begins again", after);
        }
    }

    private int wrongOf(Packed state, boolean byHandle) {
        if (readerStale.isSet(state)) {
            return 2;
        }
        for (int b = 0; b < batches.of(state); b++) {
            int used = usedBy.get(b).of(state);
            boolean seen = b < readerBatches.of(state);
            if (!seen && used < readerKnows.of(state)) {
                return 4;
            }
            if (seen && used > readerKnows.of(state) && !byHandle) {
                return 5;
            }
        }
        return 0;
    }

    private Packed withoutReader(Packed state) {
        return zero(state, reader, readerKnows, readerQuestion, readerStale, readerBatches);
    }

    // Starts.

    private void starts(Packed state, BiConsumer<String, Packed> to) {
        if (kind.has(More.START_OF_OWNER) && !ownerStarts.isSet(state)) {
            Packed after = withoutOwed(zero(state, change, ownersEnd, giving, givingTo, givingRead));
            boolean waits = !without(Without.TERM_OF_AN_EARLIER_LIFE);
            after = waits ? formerEnd.with(after, clock.of(state) + TERM) : after;
            to.accept("the owner starts anew", ownerStarts.set(after));
        }
        if (kind.has(More.START_OF_HOLDER) && !holderStarts.isSet(state)) {
            Packed after = withoutBatch(withoutReader(state));
            to.accept("the holder starts anew", holderStarts.set(zero(after, copy, copyQuestion, copyEnd, recalled)));
        }
    }

    @Override
    public Optional<String> wrong(Packed state) {
        if (wrong.isSet(state)) {
            return Optional.of(WRONGS.get(wrong.of(state)));
        }
        boolean waited = change.is(state, WAITS) && owed.isSet(state) && clock.of(state) >= began.of(state) + TERM;
        return waited && !mayDecide(state)
                ? Optional.of("D4: a change waits for longer than a term")
                : Optional.empty();
    }

    /**
     * Whether all goes well in this state: a batch is durable by the first meaning, and another by the second one, no tick
     * has passed, and each kind of accident of this model has happened.
     */
    boolean isGoodEnd(Packed state) {
        return clock.is(state, 0)
                && batches.is(state, 2)
                && usedBy.get(0).is(state, 0)
                && usedBy.get(1).is(state, 1)
                && (gaveUp.isSet(state) || !kind.has(More.GIVING_UP))
                && (holderStarts.isSet(state) || !kind.has(More.START_OF_HOLDER));
    }

    @Override
    public String toString() {
        return "a copy of a row, " + kind.changes() + " changes, " + kind.questions() + " questions, " + kind.ticks()
                + " ticks"
                + (kind.more().isEmpty() ? "" : ", " + new TreeSet<>(kind.more()))
                + (kind.without().isEmpty() ? "" : ", without " + kind.without());
    }
}
