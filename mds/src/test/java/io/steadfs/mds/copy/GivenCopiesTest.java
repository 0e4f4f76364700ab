package io.steadfs.mds.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.pipeline.CopyRules;
import io.steadfs.mds.testing.State;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** When a row may change of which other shards have copies. */
class GivenCopiesTest {
    private static final long TERM_MILLIS = 1_000;
    /** A term, and what clocks may differ. */
    private static final long WAIT_MILLIS = TERM_MILLIS + TERM_MILLIS / 1_000 + 1;

    private static final long SHORT_MILLIS = 100;
    private static final long TIMEOUT_MILLIS = 100;
    private static final int OWNER = 0;
    private static final Handle TOP = Handle.of(Handle.shardOwner(OWNER), 0, 100);
    private static final CopyKey ROW = CopyKey.ofRow(TOP);
    private static final CopyKey NAME = new CopyKey(TOP, "name");

    private final SimulatedTime time = new SimulatedTime(1);
    private final List<Sent> sent = new ArrayList<>();
    private final GivenCopies given = new GivenCopies(time, time, TERM_MILLIS, new Recaller());

    private record Sent(int holder, RecallCopiesRequest request, CompletableFuture<Boolean> answer) {}

    private final class Recaller implements GivenCopies.Recaller {
        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public CompletableFuture<Boolean> recall(int holder, RecallCopiesRequest request) {
            Sent recall = new Sent(holder, request, new CompletableFuture<>());
            sent.add(recall);
            time.after(TIMEOUT_MILLIS, () -> recall.answer().complete(false));
            return recall.answer();
        }
    }

    /** Something that holds rows, and what came of it. */
    private final class Change {
        private final CopyRules.Hold hold;
        private boolean free;

        Change(CopyKey... keys) {
            hold = given.hold(OWNER, List.of(keys));
        }

        Change begin() {
            hold.whenFree(() -> free = true);
            return this;
        }
    }

    private Change change(CopyKey... keys) {
        return new Change(keys).begin();
    }

    /** It is not free a millisecond before, and free a millisecond afterwards. */
    private void isFreeAfter(long millis, Change change) {
        waitsUntilJustBefore(millis, change);
        isFreeNow(change);
    }

    private void waitsUntilJustBefore(long millis, Change change) {
        time.runFor(millis - 1);
        assertThat(change.free).isFalse();
    }

    private void isFreeNow(Change change) {
        time.runFor(2);
        assertThat(change.free).isTrue();
    }

    @Test
    void aRowThatNobodyHasIsFreeAtOnce() {
        assertThat(given.hold(OWNER, List.of(ROW, NAME)).isFree()).isTrue();
        assertThat(sent).isEmpty();
    }

    @Test
    void nothingIsHeldForNoRows() {
        assertThat(given.hold(OWNER, List.of())).isSameAs(CopyRules.Hold.NONE);
    }

    @Test
    void copiesAreTakenBackFromExactlyThoseWhoHaveThem() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        given.noteName(TOP, "name", 3, TERM_MILLIS);
        given.noteName(TOP, "other", 2, TERM_MILLIS);
        Change change = change(NAME);
        assertThat(sent).extracting(Sent::holder).containsExactly(1, 3);
        assertThat(sent.get(0).request().getRowsList()).containsExactly(NAME.toProto());
        sent.get(0).answer().complete(true);
        assertThat(change.free).isFalse();
        sent.get(1).answer().complete(true);
        assertThat(change.free).isTrue();
        assertThat(given.out()).isEqualTo(1);
    }

    @Test
    void aHeldRowIsGivenToNobody() {
        CopyRules.Hold hold = given.hold(OWNER, List.of(NAME));
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS)).isFalse();
        assertThat(given.noteRow(TOP, 1, TERM_MILLIS)).as("another row").isTrue();
        CopyRules.Hold second = given.hold(OWNER, List.of(NAME));
        hold.release();
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS)).as("held twice").isFalse();
        second.release();
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS)).isTrue();
    }

    @Test
    void whoDoesNotAnswerIsWaitedForUntilHisTermIsOver() {
        time.runFor(10);
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        time.runFor(TERM_MILLIS / 2);
        Change change = change(NAME);
        waitsUntilJustBefore(WAIT_MILLIS - TERM_MILLIS / 2, change);
        assertThat(sent.size()).as("it was asked again").isGreaterThan(2);
        isFreeNow(change);
    }

    @Test
    void aLaterCopyMakesTheTermLonger() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        time.runFor(TERM_MILLIS - 1);
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        Change change = change(NAME);
        isFreeAfter(WAIT_MILLIS, change);
    }

    @Test
    void aRecallIsOwedWhenItsChangeGaveUp() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        Change change = change(NAME);
        change.hold.release();
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS))
                .as("he has not answered")
                .isFalse();
        assertThat(given.noteName(TOP, "name", 2, TERM_MILLIS)).as("another").isTrue();
        sent.get(0).answer().complete(true);
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS)).isTrue();
    }

    @Test
    void asksEachHolderOnceForSeveralChanges() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        Change first = change(NAME);
        Change second = change(NAME);
        assertThat(sent).hasSize(1);
        sent.get(0).answer().complete(true);
        assertThat(first.free).isTrue();
        assertThat(second.free).isTrue();
    }

    @Test
    void anAnswerCountsForItsOwnRecallAlone() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        time.runFor(WAIT_MILLIS - 1);
        Change change = change(NAME);
        time.runFor(2);
        assertThat(change.free).as("the term is over").isTrue();
        change.hold.release();
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS))
                .as("the old answer may still come")
                .isFalse();
        sent.get(0).answer().complete(true);
        assertThat(given.noteName(TOP, "name", 1, TERM_MILLIS)).isTrue();
        assertThat(given.hold(OWNER, List.of(NAME)).isFree()).isFalse();
    }

    /** A shard whose writer stands still asks on for copies, but takes none back. */
    @Test
    void whoOwesAnAnswerGetsShortTermsUntilHeAnswers() {
        given.noteName(TOP, "name", 1, given.termMillis(1));
        Change first = change(NAME);
        time.runFor(99);
        assertThat(given.termMillis(1)).isEqualTo(TERM_MILLIS);
        time.runFor(2);
        assertThat(given.termMillis(1)).isEqualTo(SHORT_MILLIS);
        assertThat(given.termMillis(2)).as("another").isEqualTo(TERM_MILLIS);
        time.runFor(WAIT_MILLIS + 2 * TIMEOUT_MILLIS);
        assertThat(first.free).isTrue();
        first.hold.release();

        assertThat(given.noteName(TOP, "name", 1, given.termMillis(1))).isTrue();
        Change second = change(NAME);
        time.runFor(SHORT_MILLIS + 2);
        assertThat(second.free).isTrue();
        second.hold.release();

        time.runFor(20_000);
        assertThat(given.termMillis(1)).isEqualTo(SHORT_MILLIS);
        await(() -> !lastSent().answer().isDone());
        Sent asked = lastSent();
        assertThat(asked.request().getRowsCount()).as("it gives back nothing").isZero();
        assertThat(asked.request().getAll()).isFalse();
        asked.answer().complete(true);
        assertThat(given.termMillis(1)).isEqualTo(TERM_MILLIS);
        int before = sent.size();
        time.runFor(5_000);
        assertThat(sent).hasSize(before);
        assertThat(given.rows()).isZero();
    }

    private Sent lastSent() {
        return sent.get(sent.size() - 1);
    }

    private void await(BooleanSupplier condition) {
        for (int i = 0; i < 10_000 && !condition.getAsBoolean(); i++) {
            time.runFor(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** As when a connection ends. */
    @Test
    void whoAnswersTheNextTimeOwesNothing() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        Change change = change(NAME);
        lastSent().answer().complete(false);
        time.runFor(101);
        lastSent().answer().complete(true);
        assertThat(change.free).isTrue();
        assertThat(given.termMillis(1)).isEqualTo(TERM_MILLIS);
    }

    @Test
    void whoDoesNotDropWhatAnEarlierLifeGaveOwesAnAnswerToo() {
        given.beginLife(OWNER, 2);
        time.runFor(WAIT_MILLIS + 5_000);
        assertThat(given.termMillis(1)).isEqualTo(SHORT_MILLIS);
        await(() -> !lastSent().answer().isDone());
        lastSent().answer().complete(true);
        assertThat(given.termMillis(1)).isEqualTo(TERM_MILLIS);
    }

    @Test
    void aClosedShardAsksNobodyOn() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        change(NAME);
        time.runFor(WAIT_MILLIS + 1_000);
        given.close();
        time.runFor(2_000);
        int before = sent.size();
        time.runFor(5_000);
        assertThat(sent).hasSize(before);
    }

    @Test
    void anEarlierCopyMayBeGoodForLonger() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        given.noteName(TOP, "name", 1, TERM_MILLIS / 2);
        Change change = change(NAME);
        isFreeAfter(WAIT_MILLIS, change);
    }

    /** Who asks for a lot does not keep others out for a term. */
    @Test
    void termsAreShortWhileManyCopiesAreOut() {
        note(0, 100_000, TERM_MILLIS);
        assertThat(given.termMillis(2)).isEqualTo(SHORT_MILLIS);
        note(100_000, 200_000, given.termMillis(1));
        assertThat(given.noteRow(TOP, 2, given.termMillis(2))).isFalse();
        time.runFor(1_100);
        assertThat(given.noteRow(TOP, 2, given.termMillis(2))).isTrue();
        assertThat(given.termMillis(2)).isEqualTo(TERM_MILLIS);
    }

    @Test
    void copiesWhoseTermsAreOverMakeNoTermShort() {
        note(0, 120_000, TERM_MILLIS);
        assertThat(given.termMillis(2)).isEqualTo(SHORT_MILLIS);
        time.runFor(WAIT_MILLIS);
        assertThat(given.termMillis(2)).isEqualTo(TERM_MILLIS);
        assertThat(given.out()).isZero();
    }

    private void note(int first, int end, long goodMillis) {
        String name = "n";
        for (int i = first; i < end; i++) {
            assertThat(given.noteName(TOP, name + i, 1, goodMillis)).isTrue();
        }
    }

    @Test
    void rowsThatAreForgottenLeaveNothing() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        Change change = change(NAME);
        time.runFor(2 * TERM_MILLIS);
        change.hold.release();
        assertThat(given.out()).isZero();
        assertThat(given.rows()).isZero();
    }

    @Test
    void aNewLifeWaitsUntilAllHaveDroppedWhatTheOldOneGave() {
        given.beginLife(OWNER, 3);
        assertThat(sent).extracting(Sent::holder).containsExactly(1, 2);
        assertThat(sent.get(0).request().getAll()).isTrue();
        Change change = change(NAME);
        assertThat(change.hold.isFree()).isFalse();
        sent.get(0).answer().complete(true);
        assertThat(change.free).isFalse();
        sent.get(1).answer().complete(true);
        assertThat(change.free).isTrue();
    }

    @Test
    void aNewLifeWaitsNoLongerThanATerm() {
        given.beginLife(OWNER, 2);
        Change change = change(NAME);
        waitsUntilJustBefore(WAIT_MILLIS, change);
        assertThat(sent.size()).as("it asks again").isGreaterThan(4);
        isFreeNow(change);
    }

    @Test
    void whatWaitsIsTold() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        given.noteName(TOP, "name", 2, TERM_MILLIS);
        given.noteRow(TOP, 2, TERM_MILLIS);
        assertThat(given.waiting()).isEqualTo(new GivenCopies.Waiting(0, 0, new TreeMap<>()));

        Change first = change(NAME);
        time.runFor(30);
        Change second = change(NAME, ROW);
        assertThat(given.waiting()).isEqualTo(new GivenCopies.Waiting(2, 30, new TreeMap<>(Map.of(1, 1L, 2, 2L))));

        sent.get(1).answer().complete(true);
        assertThat(given.waiting().awaited()).isEqualTo(Map.of(1, 1L, 2, 1L));
        sent.get(0).answer().complete(true);
        assertThat(first.free).isTrue();
        assertThat(given.waiting().changes()).isEqualTo(1);
        sent.get(2).answer().complete(true);
        assertThat(second.free).isTrue();
        assertThat(given.waiting().changes()).isZero();
        assertThat(given.waitedMicros()).isEqualTo(30_000);
        assertThat(given.overdue()).isZero();
    }

    @Test
    void copiesThatDoNotComeBackAreCountedOnce() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        given.noteName(TOP, "other", 2, TERM_MILLIS);
        Change change = change(NAME);
        time.runFor(2 * TERM_MILLIS);
        assertThat(change.free).isTrue();
        assertThat(given.overdue()).isEqualTo(1);
        assertThat(given.waitedMicros()).isBetween(WAIT_MILLIS * 1000, (WAIT_MILLIS + 2) * 1000);
    }

    @Test
    void aCopyThatComesBackAfterItsTermIsCountedToo() {
        given.noteName(TOP, "name", 1, TERM_MILLIS);
        time.runFor(TERM_MILLIS - TIMEOUT_MILLIS / 2);
        Change change = change(NAME);
        time.runFor(TIMEOUT_MILLIS - 1);
        assertThat(change.free).isTrue();
        assertThat(given.overdue()).isZero();
        sent.get(0).answer().complete(true);
        assertThat(given.overdue()).isEqualTo(1);
    }

    @Test
    void anOperatorIsToldWhoKeepsChangesWaiting() {
        GivenCopies longTerm = new GivenCopies(time, time, 10 * TERM_MILLIS, new Recaller());
        ShardCopies copies =
                new ShardCopies(time, OWNER, new HeldCopies(time, TERM_MILLIS, (directory, name) -> {}), longTerm);
        longTerm.noteName(TOP, "name", 2, 10 * TERM_MILLIS);
        longTerm.hold(OWNER, List.of(NAME)).whenFree(() -> {});
        assertThat(copies.problem()).isEmpty();
        assertThat(copies.gauges()).containsEntry("copies.waiting", 1L).containsEntry("copies.awaited-2", 1L);

        time.runFor(2_000);
        assertThat(copies.problem())
                .contains(
                        "shard 0: changes of directories wait for copies of shard 2, 1 of them, the first since 2000 ms;"
                                + " each waits 10011 ms at most");
        time.runFor(9_000);
        assertThat(copies.problem()).isEmpty();
        assertThat(copies.counters()).containsEntry("copies.overdue", 1L).containsEntry("copies.waits", 1L);
    }

    @Test
    void changesOfNamesAndRowsAreCounted() {
        ShardCopies copies =
                new ShardCopies(time, OWNER, new HeldCopies(time, TERM_MILLIS, (directory, name) -> {}), given);
        DirentKey name = DirentKey.of(TOP, "name");
        DirectoryRow row = DirectoryRow.newBuilder().setMode(0755).build();
        State state = State.of();
        state.replay(List.of(
                new DirectorySet(TOP, row),
                DirentSet.directory(name, TOP),
                DirentSet.file(DirentKey.of(TOP, "file"), TOP)));
        copies.hold(
                List.of(
                        new DirectorySet(TOP, row.toBuilder().setMode(0700).build()),
                        new DirentGone(name),
                        new DirentGone(DirentKey.of(TOP, "file"))),
                state.view());
        copies.hold(List.of(new DirentGone(name)), state.view());
        assertThat(copies.counters())
                .containsEntry("copies.changes.names", 2L)
                .containsEntry("copies.changes.rows", 1L);
    }
}
