package io.steadfs.mds.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.GiveCopiesRequest;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which copies a shard may use, and for how long. */
class HeldCopiesTest {
    private static final long TERM_MILLIS = 1_000;
    private static final int OWNER = 1;
    private static final Handle TOP = Handle.of(Handle.shardOwner(OWNER), 0, 100);
    private static final Handle CHILD = Handle.of(Handle.shardOwner(OWNER), 0, 101);
    private static final Handle FAR = Handle.of(Handle.shardOwner(2), 0, 102);

    private final SimulatedTime time = new SimulatedTime(1);
    private long wallJumpMillis;
    private final Clock clock = new Clock() {
        @Override
        public long monotonicNanos() {
            return time.monotonicNanos();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis() + wallJumpMillis;
        }
    };
    private final List<String> renewed = new ArrayList<>();
    private final HeldCopies held =
            new HeldCopies(clock, TERM_MILLIS, (directory, name) -> renewed.add(directory + " " + name.orElse("")));

    private static GiveCopiesRequest request() {
        return GiveCopiesRequest.newBuilder()
                .setDirectory(TOP.value())
                .addNames("child")
                .addNames("far")
                .build();
    }

    private static GiveCopiesReply reply() {
        return GiveCopiesReply.newBuilder()
                .setTermMillis(TERM_MILLIS)
                .addDirectories(directory(TOP, 0755))
                .addDirectories(directory(CHILD, 0700))
                .addChildren(CHILD.value())
                .addChildren(FAR.value())
                .build();
    }

    private static GiveCopiesReply.Directory directory(Handle handle, int mode) {
        return GiveCopiesReply.Directory.newBuilder()
                .setHandle(handle.value())
                .setMode(mode)
                .setOwner("anna")
                .setGroup("staff")
                .build();
    }

    private static RecallCopiesRequest recall(Handle directory, String name) {
        return RecallCopiesRequest.newBuilder()
                .setOwner(OWNER)
                .addRows(new CopyKey(directory, name).toProto())
                .build();
    }

    private void giveRow(int owner, Handle directory, int mode) {
        held.ask(owner)
                .answered(
                        GiveCopiesRequest.newBuilder()
                                .setDirectory(directory.value())
                                .build(),
                        GiveCopiesReply.newBuilder()
                                .setTermMillis(TERM_MILLIS)
                                .addDirectories(directory(directory, mode))
                                .build());
    }

    private void give() {
        held.ask(OWNER).answered(request(), reply());
    }

    @Test
    void anAnswerGivesItsNamesAndRows() {
        give();
        HeldCopies.Use use = held.forBatch();
        assertThat(use.child(TOP, "child")).contains(CHILD);
        assertThat(use.child(CHILD, "far")).contains(FAR);
        assertThat(use.directory(CHILD))
                .contains(new AncestorCopies.Directory(0700, "anna", "staff", Optional.empty(), "", 0));
        assertThat(use.directory(FAR)).isEmpty();
        assertThat(use.child(TOP, "far")).isEmpty();
    }

    @Test
    void theTermCountsFromBeforeTheQuestion() {
        HeldCopies.Question question = held.ask(OWNER);
        time.runFor(TERM_MILLIS - 1);
        question.answered(request(), reply());
        assertThat(held.forView().directory(TOP)).isPresent();
        time.runFor(1);
        assertThat(held.forView().directory(TOP)).isEmpty();
    }

    @Test
    void aWallClockThatJumpsForwardEndsATerm() {
        give();
        wallJumpMillis = TERM_MILLIS;
        assertThat(held.forBatch().directory(TOP)).isEmpty();
    }

    @Test
    void aWallClockThatJumpsBackMakesNoTermLonger() {
        give();
        wallJumpMillis = -10 * TERM_MILLIS;
        time.runFor(TERM_MILLIS);
        assertThat(held.forBatch().directory(TOP)).isEmpty();
    }

    @Test
    void anOwnerThatWaitsForLessMakesTheTermShorter() {
        held.ask(OWNER)
                .answered(
                        request(),
                        reply().toBuilder().setTermMillis(TERM_MILLIS / 2).build());
        time.runFor(TERM_MILLIS / 2 - 1);
        assertThat(held.forView().directory(TOP)).isPresent();
        time.runFor(1);
        assertThat(held.forView().directory(TOP)).isEmpty();
    }

    /** The margin of a batch is a part of the copy's own term, or batches could not use copies that are good for less. */
    @Test
    void aBatchUsesCopiesWithMuchShorterTerms() {
        long goodMillis = 48;
        held.ask(OWNER)
                .answered(
                        request(), reply().toBuilder().setTermMillis(goodMillis).build());
        renewed.clear();
        assertThat(held.forBatch().directory(TOP)).isPresent();
        assertThat(renewed).as("it is as good as new").isEmpty();
        time.runFor(goodMillis - goodMillis / 16);
        assertThat(held.forBatch().directory(TOP)).isPresent();
        assertThat(renewed).isNotEmpty();
        time.runFor(1);
        assertThat(held.forBatch().directory(TOP)).isEmpty();
        assertThat(held.forView().directory(TOP)).isPresent();
    }

    /** The owner gives short terms now. It is not asked again before so little is left. */
    @Test
    void aLongTermIsNotRenewedAgainAndAgain() {
        give();
        time.runFor(TERM_MILLIS * 2 / 3 + 1);
        assertThat(held.forView().directory(TOP)).isPresent();
        assertThat(renewed).isNotEmpty();
        held.ask(OWNER)
                .answered(request(), reply().toBuilder().setTermMillis(48).build());
        renewed.clear();
        assertThat(held.forView().directory(TOP)).isPresent();
        assertThat(renewed).isEmpty();
        time.runFor(TERM_MILLIS / 3 - 10);
        assertThat(held.forView().directory(TOP)).as("the longer term").isPresent();
        assertThat(renewed).isNotEmpty();
    }

    @Test
    void eachCopyHasItsOwnTerm() {
        give();
        time.runFor(TERM_MILLIS / 2);
        giveRow(OWNER, TOP, 0755);
        time.runFor(TERM_MILLIS / 2);
        assertThat(held.forBatch().directory(TOP)).isPresent();
        assertThat(held.forBatch().child(TOP, "child")).isEmpty();
    }

    @Test
    void aRecallDropsWhatItNames() {
        give();
        held.recall(recall(TOP, "child"));
        assertThat(held.forBatch().child(TOP, "child")).isEmpty();
        assertThat(held.forBatch().directory(TOP)).isPresent();
        held.recall(recall(TOP, ""));
        assertThat(held.forBatch().directory(TOP)).isEmpty();
        assertThat(held.forBatch().child(CHILD, "far")).contains(FAR);
    }

    @Test
    void aRecallSpoilsAnswersToOpenQuestions() {
        HeldCopies.Question question = held.ask(OWNER);
        held.recall(recall(TOP, "child"));
        question.answered(request(), reply());
        assertThat(held.forBatch().child(TOP, "child")).isEmpty();
        assertThat(held.forBatch().child(CHILD, "far")).contains(FAR);
        give();
        assertThat(held.forBatch().child(TOP, "child")).as("a later question").contains(CHILD);
    }

    @Test
    void anOwnerThatBeganAnewTakesAllBack() {
        HeldCopies.Question question = held.ask(OWNER);
        give();
        giveRow(2, FAR, 0755);
        held.recall(
                RecallCopiesRequest.newBuilder().setOwner(OWNER).setAll(true).build());
        question.answered(request(), reply());
        assertThat(held.forBatch().directory(TOP)).isEmpty();
        assertThat(held.forBatch().child(TOP, "child")).isEmpty();
        assertThat(held.forBatch().directory(FAR)).as("of another owner").isPresent();
    }

    @Test
    void aQuestionTakesOneAnswer() {
        HeldCopies.Question question = held.ask(OWNER);
        question.unanswered(request());
        question.answered(request(), reply());
        assertThat(held.forBatch().directory(TOP)).isEmpty();
    }

    @Test
    void anOwnerGivesNoCopiesOfOthersRows() {
        held.ask(2).answered(request(), reply());
        assertThat(held.size()).isZero();
    }

    @Test
    void aReadUsesOnlyWhatWasThereBeforeItsView() {
        HeldCopies.Use before = held.forView();
        assertThat(before.directory(TOP)).isEmpty();
        assertThat(before.metNewer()).as("there is none").isFalse();
        give();
        assertThat(before.directory(TOP)).isEmpty();
        assertThat(before.metNewer()).isTrue();
        assertThat(held.forView().directory(TOP)).isPresent();
    }

    @Test
    void aReadUsesNothingThatWasTakenBack() {
        give();
        HeldCopies.Use use = held.forView();
        held.recall(recall(TOP, "child"));
        assertThat(use.child(TOP, "child")).isEmpty();
        give();
        assertThat(use.child(TOP, "child")).as("a newer copy").isEmpty();
        assertThat(use.metNewer()).isTrue();
    }

    @Test
    void aCopyThatIsRenewedIsTheSameCopy() {
        give();
        HeldCopies.Use use = held.forView();
        time.runFor(TERM_MILLIS / 2);
        give();
        time.runFor(TERM_MILLIS / 2);
        assertThat(use.child(TOP, "child")).contains(CHILD);
        time.runFor(TERM_MILLIS / 2);
        assertThat(use.child(TOP, "child")).isEmpty();
    }

    @Test
    void aCopyWhoseTermWasOverIsAnotherOne() {
        give();
        HeldCopies.Use use = held.forView();
        time.runFor(TERM_MILLIS);
        give();
        assertThat(use.child(TOP, "child")).isEmpty();
    }

    @Test
    void aCopyThatSaysSomethingElseIsAnotherOne() {
        give();
        HeldCopies.Use use = held.forView();
        giveRow(OWNER, TOP, 0700);
        assertThat(use.directory(TOP)).isEmpty();
    }

    @Test
    void anOlderAnswerMakesNoTermShorter() {
        HeldCopies.Question slow = held.ask(OWNER);
        time.runFor(TERM_MILLIS / 2);
        give();
        slow.answered(request(), reply());
        time.runFor(TERM_MILLIS - 1);
        assertThat(held.forView().directory(TOP)).isPresent();
    }

    @Test
    void aCopyThatIsUsedNearItsEndIsRenewedOnce() {
        give();
        time.runFor(TERM_MILLIS / 2);
        assertThat(held.forView().child(TOP, "child")).isPresent();
        assertThat(renewed).isEmpty();
        time.runFor(TERM_MILLIS / 4);
        assertThat(held.forView().child(TOP, "child")).isPresent();
        assertThat(held.forBatch().child(TOP, "child")).isPresent();
        assertThat(renewed).containsExactly(TOP + " child");
        give();
        time.runFor(3 * TERM_MILLIS / 4);
        assertThat(held.forView().directory(TOP)).isPresent();
        assertThat(renewed).containsExactly(TOP + " child", TOP + " ");
        held.ask(OWNER).unanswered(request());
        assertThat(held.forView().directory(TOP)).isPresent();
        assertThat(renewed).as("the question got no answer").hasSize(3);
    }

    @Test
    void aBatchIsNotBegunWithACopyThatEndsSoon() {
        give();
        time.runFor(TERM_MILLIS - 50);
        assertThat(held.forView().directory(TOP)).isPresent();
        assertThat(held.forBatch().directory(TOP)).isEmpty();
    }

    @Test
    void theEndOfABatchIsThatOfTheShortestTerm() {
        give();
        time.runFor(TERM_MILLIS / 2);
        giveRow(2, FAR, 0755);
        HeldCopies.Use use = held.forBatch();
        assertThat(use.directory(FAR)).isPresent();
        assertThat(use.end().endNanos()).isEqualTo((TERM_MILLIS + TERM_MILLIS / 2) * 1_000_000);
        assertThat(use.directory(TOP)).isPresent();
        assertThat(use.end().endNanos()).isEqualTo(TERM_MILLIS * 1_000_000);
    }
}
