package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.testing.SimulatedMds;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.State;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Metafiles at shard 0 of three that an ended session left without a name: what crashes of the shards and late or doubled
 * answers do to their removal.
 */
class SessionFenceTest {
    private static final long SESSION = 5;
    private static final Handle FILE = Handle.of(Handle.shardOwner(0), 0, 1_000);
    private static final long LIMIT_MILLIS = 60_000;

    /** The duty looks every second. */
    private final SimulatedShards shards = new SimulatedShards(3, 1, Map.of("stead.session.duration", "8000"));

    private void write(int shard, LogRecord... records) {
        State.in(shards.shard(shard).store()).apply(new Decision<>(List.of(records), true));
    }

    /** The session ended, and its file has no name as far as shard 0 knows. */
    private void leaveFile() {
        MetafileRow row = MetafileRow.newBuilder().setUnlinkedSession(SESSION).build();
        write(
                0,
                new SessionPut(new Session(SESSION, "test", "anna", 1, 5, true)),
                new MetafileSet(FILE, row),
                new FileUnlinked(SESSION, FILE));
    }

    private boolean isThere() {
        return Metafiles.find(shards.committed(0), FILE).isPresent();
    }

    private boolean isFencedAt(int shard) {
        return Sessions.find(shards.committed(shard), SESSION)
                .map(Session::ended)
                .orElse(false);
    }

    private long questions() {
        return shards.network().counters().snapshot().getOrDefault("messages.out.FENCE_SESSIONS", 0L);
    }

    private void awaitRemoval() {
        shards.time().runUntil("the file is removed", () -> !isThere(), LIMIT_MILLIS);
        assertThat(isFencedAt(1)).isTrue();
        assertThat(isFencedAt(2)).isTrue();
        assertThat(UnlinkedFiles.hasAny(shards.committed(0), SESSION)).isFalse();
    }

    private void awaitQuestion() {
        long before = questions();
        shards.time().runUntil("the shards are asked", () -> questions() >= before + 2, LIMIT_MILLIS);
    }

    @Test
    void aFileIsRemovedWhenAllShardsHaveAnswered() {
        leaveFile();
        awaitRemoval();
        assertThat(questions()).isEqualTo(2);
    }

    @Test
    void aShardThatIsDownDelaysTheRemovalAndIsAskedOnceInARound() {
        leaveFile();
        shards.shard(1).crash(10_000);
        shards.time().runFor(9_500);
        assertThat(isThere()).isTrue();
        assertThat(questions())
                .as("questions to two shards in at most ten rounds")
                .isBetween(10L, 20L);
        awaitRemoval();
    }

    /** Shard 0 asks, shard 1 is asked. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, false", "0, 0, true", "0, 1, false", "0, 1, true", "0, 2, false", "0, 2, true",
        "1, 0, false", "1, 0, true", "1, 1, false", "1, 1, true", "1, 2, false", "1, 2, true"
    })
    void aShardThatCrashesMeanwhilePermitsNothing(int shard, int step, boolean after) {
        leaveFile();
        SimulatedMds crashing = shards.shard(shard);
        crashing.crashAt(crashing.steps() + step, after);
        awaitRemoval();
        shards.time().runUntil("it is up", crashing::isUp, LIMIT_MILLIS);
        assertThat(isThere()).isFalse();
        assertThat(isFencedAt(1)).isTrue();
    }

    @Test
    void answersToAShardThatStoppedRemoveNothing() {
        leaveFile();
        shards.shard(0).sendLate(Kind.FENCE_SESSIONS, 2_000);
        shards.time().runFor(1_500);
        assertThat(questions()).as("questions that have left").isZero();
        shards.shard(0).crash(6_000);
        shards.time().runUntil("the questions arrive", () -> isFencedAt(1) && isFencedAt(2), LIMIT_MILLIS);
        shards.time().runFor(1_000);
        assertThat(isThere()).isTrue();
        assertThat(questions()).isEqualTo(2);
        awaitRemoval();
        assertThat(questions()).as("asked anew").isEqualTo(4);
    }

    @Test
    void aLateAnswerDoesNotOutweighWhatIsKnownByThen() {
        leaveFile();
        shards.shard(0).sendLate(Kind.FENCE_SESSIONS, 4_000);
        shards.time().runFor(3_000);
        assertThat(questions()).as("questions that have left").isZero();
        MetafileRow linked = MetafileRow.newBuilder().setGroup("staff").build();
        write(0, new MetafileSet(FILE, linked));
        shards.time().runUntil("it is known", () -> !UnlinkedFiles.hasAny(shards.committed(0), SESSION), LIMIT_MILLIS);
        assertThat(questions()).isEqualTo(2);
        assertThat(Metafiles.find(shards.committed(0), FILE)).contains(linked);
    }

    @Test
    void doubledAndReorderedMessagesRemoveItOnce() {
        leaveFile();
        shards.setFaults(new Faults(0, 1000, 50, 20_000));
        awaitRemoval();
        shards.time().runFor(5_000);
        assertThat(questions()).isEqualTo(2);
        assertThat(shards.network().doubled("mds-0")).isPositive();
        shards.setFaults(Faults.NONE);
        shards.quiet();
        assertThat(isThere()).isFalse();
    }

    /** Shard 0 hears of the name only after its question was answered several times. */
    @Test
    void aFileThatHasANameElsewhereStays() {
        leaveFile();
        shards.network().cut("mds-2", SimulatedShards.address(0));
        write(2, new NoticeQueued(Notice.linked(FILE, "staff")));
        awaitQuestion();
        awaitQuestion();
        shards.time().runFor(500);
        assertThat(isFencedAt(2)).isTrue();
        assertThat(isThere()).isTrue();
        shards.network().heal("mds-2", SimulatedShards.address(0));
        shards.time().runUntil("it is told", () -> Outbox.count(shards.committed(2), 1) == 0, LIMIT_MILLIS);
        awaitQuestionsToEnd();
        assertThat(Metafiles.find(shards.committed(0), FILE))
                .hasValueSatisfying(row -> assertThat(row.getGroup()).isEqualTo("staff"));
    }

    private void awaitQuestionsToEnd() {
        shards.time().runFor(2_000);
        long before = questions();
        shards.time().runFor(5_000);
        assertThat(questions()).isEqualTo(before);
    }
}
