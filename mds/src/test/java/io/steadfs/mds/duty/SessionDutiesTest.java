package io.steadfs.mds.duty;

import static io.steadfs.mds.testing.SimulatedCluster.SESSION_MILLIS;
import static io.steadfs.mds.testing.SimulatedCluster.attach;
import static io.steadfs.mds.testing.SimulatedCluster.close;
import static io.steadfs.mds.testing.SimulatedCluster.column;
import static io.steadfs.mds.testing.SimulatedCluster.createFile;
import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.WriteGeneration;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.testing.SimulatedClient;
import io.steadfs.mds.testing.SimulatedCluster;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that die, and what becomes of the files that they wrote. */
class SessionDutiesTest {
    private static final int STRIP = 1 << 20;

    private final SimulatedCluster cluster = new SimulatedCluster(1);

    private MetafileRow row(Attributes file) {
        return Metafiles.find(cluster.committed(), new Handle(file.getHandle())).orElseThrow();
    }

    private boolean isEnded(long session) {
        return Sessions.find(cluster.committed(), session).map(Session::ended).orElse(true);
    }

    private static Reply renew(SimulatedClient client, long session) {
        return client.call(
                Kind.RENEW_SESSION,
                RenewSessionRequest.newBuilder().setSession(session).build());
    }

    @Test
    void aSilentWritersFilesAreSealedAndGetTheLengthThatTheirColumnsHold() {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle first = cluster.io1().make(STRIP);
        Handle second = cluster.io2().make(77);
        writer.call(Kind.ATTACH, attach(file, 0, first));
        writer.call(Kind.ATTACH, attach(file, 1, second));
        Attributes empty = createFile(writer, "empty");

        cluster.until("the session expires", view -> isEnded(1), 2 * SESSION_MILLIS);
        cluster.until(
                "the files are recovered",
                view -> !row(file).getRecovering() && !row(empty).getRecovering(),
                20_000);

        assertThat(row(file).getLength()).isEqualTo(STRIP + 77);
        assertThat(row(file).getWriteGeneration()).isEqualTo(2);
        assertThat(row(file).getWriterSession()).isZero();
        assertThat(row(empty).getLength()).isZero();
        assertThat(cluster.io1().sealed()).containsEntry(first, 2L);
        assertThat(cluster.io1().sealedFor()).containsEntry(first, new Handle(file.getHandle()));
        assertThat(cluster.io2().sealed()).containsEntry(second, 2L);
        assertThat(RecoveringFiles.after(cluster.committed(), Handle.NONE, 1)).isEmpty();
        assertThat(writer.call(Kind.CLOSE, close(file, 5)).error()).isEqualTo(FsError.SESSION_EXPIRED);
        SimulatedClient other = cluster.client(2);
        assertThat(other.call(Kind.CLOSE, close(file, 5)).error()).isEqualTo(FsError.STALE_GENERATION);
        cluster.state();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 1L << 40, WriteGeneration.MOST_TOLD})
    void recoveryGoesOnAboveAGenerationThatAnIoServerHas(long has) {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle first = cluster.io1().make(STRIP);
        Handle second = cluster.io2().make(77);
        writer.call(Kind.ATTACH, attach(file, 0, first));
        writer.call(Kind.ATTACH, attach(file, 1, second));
        cluster.io2().sealed().put(second, has);
        cluster.until("recovered", view -> isEnded(1) && !row(file).getRecovering(), 60_000);
        assertThat(row(file).getLength()).isEqualTo(STRIP + 77);
        assertThat(row(file).getWriteGeneration()).isEqualTo(has + 1);
        assertThat(cluster.io1().sealed()).containsEntry(first, has + 1);
        assertThat(cluster.io2().sealed()).containsEntry(second, has + 1);
        assertThat(append(cluster.client(2)).error()).isEqualTo(FsError.OK);
        cluster.state();
    }

    @ParameterizedTest
    @ValueSource(longs = {WriteGeneration.MOST_TOLD + 1, Long.MAX_VALUE})
    void aGenerationThatLeavesNoRoomAboveIsNotBelieved(long has) {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle first = cluster.io1().make(STRIP);
        writer.call(Kind.ATTACH, attach(file, 0, first));
        cluster.io1().sealed().put(first, has);
        cluster.until("taken from its writer", view -> isEnded(1), 60_000);
        cluster.time().runFor(60_000);
        assertThat(row(file).getRecovering()).isTrue();
        assertThat(row(file).getWriteGeneration()).isEqualTo(2);
        cluster.io1().sealed().put(first, 2L);
        cluster.until("recovered", view -> !row(file).getRecovering(), 60_000);
    }

    @Test
    void aColumnWithAHoleBeforeItDoesNotCount() {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        writer.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(1000)));
        writer.call(Kind.ATTACH, attach(file, 1, cluster.io2().make(STRIP)));
        cluster.until("recovered", view -> isEnded(1) && !row(file).getRecovering(), 60_000);
        assertThat(row(file).getLength()).isEqualTo(1000);
    }

    @Test
    void aLostDatafileTakesNoBytesOfTheOthers() {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle healthy = cluster.io1().make(2 * STRIP);
        Handle lost = cluster.io2().make(STRIP);
        writer.call(Kind.ATTACH, attach(file, 0, healthy));
        writer.call(Kind.ATTACH, attach(file, 1, lost));
        cluster.io2().lengths().remove(lost);
        cluster.until("recovered", view -> isEnded(1) && !row(file).getRecovering(), 60_000);
        assertThat(row(file).getLength()).isEqualTo(3 * STRIP);
        assertThat(cluster.io1().lengths()).containsEntry(healthy, 2L * STRIP);
    }

    @Test
    void aDatafileThatCannotBeReadDelaysNoRecovery() {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle healthy = cluster.io1().make(STRIP + 5);
        Handle damaged = cluster.io2().make(STRIP);
        writer.call(Kind.ATTACH, attach(file, 0, healthy));
        writer.call(Kind.ATTACH, attach(file, 1, damaged));
        cluster.io2().unreadable().add(damaged);
        cluster.until("recovered", view -> isEnded(1) && !row(file).getRecovering(), 60_000);
        assertThat(row(file).getLength()).isEqualTo(2 * STRIP + 5);
        assertThat(cluster.io1().lengths()).containsEntry(healthy, STRIP + 5L);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (1L << 48) + 1, Long.MAX_VALUE})
    void aDatafileThatIsLongerThanAnyCanBeCountsAsLost(long length) {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        writer.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(length)));
        writer.call(Kind.ATTACH, attach(file, 1, cluster.io2().make(length)));
        cluster.until("recovered", view -> isEnded(1) && !row(file).getRecovering(), 60_000);
        assertThat(row(file).getLength()).isZero();
    }

    @Test
    void aTruncateEndsWhereTheChunkThatItCutsIsRotten() {
        SimulatedClient writer = cluster.client(1);
        Attributes file = createFile(writer, "f");
        Handle rotten = cluster.io1().make(STRIP);
        Handle healthy = cluster.io2().make(STRIP);
        writer.call(Kind.CLOSE, close(file, 2 * STRIP, column(0, rotten), column(1, healthy)));
        cluster.io1().rotten().add(rotten);
        truncate(writer, STRIP / 2);
        cluster.until("truncated", view -> !row(file).getRecovering(), 20_000);
        assertThat(row(file).getLength()).isEqualTo(STRIP / 2);
        assertThat(cluster.io2().lengths()).containsEntry(healthy, 0L);
        assertThat(append(writer).error()).isEqualTo(FsError.CORRUPT);

        cluster.io1().rotten().remove(rotten);
        truncate(writer, STRIP / 2);
        cluster.until("truncated at last", view -> !row(file).getRecovering(), 20_000);
        assertThat(cluster.io1().lengths()).containsEntry(rotten, STRIP / 2L);
        assertThat(append(writer).error()).isEqualTo(FsError.OK);
        cluster.state();
    }

    private static void truncate(SimulatedClient client, long length) {
        assertThat(client.call(
                                Kind.TRUNCATE_FILE,
                                TruncateFileRequest.newBuilder()
                                        .setLocation(SimulatedCluster.at("f"))
                                        .setLength(length)
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
    }

    private static Reply append(SimulatedClient client) {
        return client.call(
                Kind.APPEND,
                AppendRequest.newBuilder().setLocation(SimulatedCluster.at("f")).build());
    }

    @Test
    void aDeadIoServerHoldsUpOnlyItsOwnFiles() {
        SimulatedClient writer = cluster.client(1);
        Attributes onFirst = createFile(writer, "first");
        Attributes onSecond = createFile(writer, "second");
        writer.call(Kind.ATTACH, attach(onFirst, 0, cluster.io1().make(10)));
        writer.call(Kind.ATTACH, attach(onSecond, 0, cluster.io2().make(20)));
        cluster.network().crash(SimulatedCluster.IO_2);
        cluster.until("first is recovered", view -> isEnded(1) && !row(onFirst).getRecovering(), 60_000);
        cluster.time().runFor(60_000);
        assertThat(row(onSecond).getRecovering()).isTrue();
        assertThat(row(onSecond).getLength()).isZero();

        cluster.network().start(SimulatedCluster.IO_2, cluster.io2());
        cluster.until("second is recovered", view -> !row(onSecond).getRecovering(), 20_000);
        assertThat(row(onSecond).getLength()).isEqualTo(20);
    }

    @Test
    void filesOfASilentIoServerTakeNoPlacesFromOthers() {
        SimulatedClient writer = cluster.client(1);
        Attributes stuck = createFile(writer, "stuck");
        Handle stuckDatafile = cluster.io2().make(7);
        writer.call(Kind.ATTACH, attach(stuck, 0, stuckDatafile));
        List<Attributes> waiting = new ArrayList<>();
        for (int i = 0; i < 5 * FileRecovery.MOST_AT_A_TIME; i++) {
            Attributes file = createFile(writer, "waiting" + i);
            writer.call(Kind.ATTACH, attach(file, 0, cluster.io2().make(20)));
            waiting.add(file);
        }
        Attributes other = createFile(writer, "other");
        writer.call(Kind.ATTACH, attach(other, 0, cluster.io1().make(10)));
        Set<Handle> silent = new HashSet<>(cluster.io2().lengths().keySet());
        cluster.network().crash(SimulatedCluster.IO_2);
        cluster.network().start(SimulatedCluster.IO_2, call -> {
            if (call.request().body() instanceof SealRequest seal
                    && silent.contains(new Handle(seal.getDatafiles(0)))) {
                call.request().payload().release();
            } else {
                cluster.io2().handle(call);
            }
        });
        cluster.until("the session expires", view -> isEnded(1), 2 * SESSION_MILLIS);
        cluster.until("the other is recovered", view -> !row(other).getRecovering(), 25_000);
        cluster.time().runFor(60_000);
        assertThat(waiting).allMatch(file -> row(file).getRecovering());

        silent.clear();
        silent.add(stuckDatafile);
        cluster.until(
                "all but the stuck one are recovered",
                view -> waiting.stream().noneMatch(file -> row(file).getRecovering()),
                60_000);
        assertThat(row(stuck).getRecovering()).isTrue();
        silent.clear();
        cluster.until("all are recovered", view -> !row(stuck).getRecovering(), 60_000);
        assertThat(row(stuck).getLength()).isEqualTo(7);
    }

    @Test
    void aSilentIoServerIsAskedAfterGrowingPausesForOneFileAtATime() {
        SimulatedClient writer = cluster.client(1);
        for (int i = 0; i < 3 * FileRecovery.MOST_AT_A_TIME; i++) {
            Attributes file = createFile(writer, "f" + i);
            writer.call(Kind.ATTACH, attach(file, 0, cluster.io2().make(20)));
        }
        AtomicInteger asked = new AtomicInteger();
        cluster.network().crash(SimulatedCluster.IO_2);
        cluster.network().start(SimulatedCluster.IO_2, call -> {
            call.request().payload().release();
            asked.incrementAndGet();
        });
        cluster.until("the session expires", view -> isEnded(1), 2 * SESSION_MILLIS);
        cluster.time().runFor(200_000);
        assertThat(asked.get()).isBetween(FileRecovery.MOST_AT_A_TIME + 4, FileRecovery.MOST_AT_A_TIME + 10);
    }

    @Test
    void manyFilesOfOneWriterAreTakenInBoundedSteps() {
        SimulatedClient writer = cluster.client(1);
        for (int i = 0; i < 300; i++) {
            createFile(writer, "f" + i);
        }
        cluster.until("the session expires", view -> isEnded(1), 60_000);
        cluster.until(
                "all are recovered",
                view -> OpenFiles.of(view, 1, 1).isEmpty()
                        && RecoveringFiles.after(view, Handle.NONE, 1).isEmpty(),
                60_000);
        StateCheck state = cluster.state();
        assertThat(state.paths()).hasSize(300).noneMatch(path -> Metafiles.isOpen(state.file(path)));
        assertThat(RecordedReplies.legs(cluster.committed(), 1, 0, Long.MAX_VALUE, 1))
                .isEmpty();
    }

    @Test
    void whoRenewsOrAsksStaysAlive() {
        SimulatedClient renewing = cluster.client(1);
        SimulatedClient asking = cluster.client(2);
        cluster.client(3);
        for (int i = 0; i < 20; i++) {
            cluster.time().runFor(SESSION_MILLIS / 3);
            assertThat(renew(renewing, 1).error()).isEqualTo(FsError.OK);
            asking.call(Kind.STAT, StatRequest.getDefaultInstance());
        }
        assertThat(isEnded(1)).isFalse();
        assertThat(isEnded(2)).isFalse();
        assertThat(isEnded(3)).isTrue();
    }

    @Test
    void aRestartGivesEverybodyAFullPeriod() {
        cluster.client(1);
        cluster.time().runFor(SESSION_MILLIS - 2000);
        cluster.mds().crash(1000);
        cluster.time().runFor(SESSION_MILLIS - 1000);
        assertThat(isEnded(1)).isFalse();
        cluster.until("it expires after all", view -> isEnded(1), SESSION_MILLIS);
    }

    @Test
    void anEndedSessionLingersAndIsThenForgotten() {
        SimulatedClient client = cluster.client(1);
        client.call(
                Kind.MKDIRS,
                MkdirsRequest.newBuilder()
                        .setLocation(SimulatedCluster.at("d"))
                        .setMode(0755)
                        .build());
        CloseSessionRequest close =
                CloseSessionRequest.newBuilder().setSession(1).build();
        assertThat(client.call(Kind.CLOSE_SESSION, close).error()).isEqualTo(FsError.OK);
        assertThat(client.call(Kind.CLOSE_SESSION, close).error()).isEqualTo(FsError.OK);
        assertThat(client.open().error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(renew(client, 1).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(client.call(
                                Kind.MKDIRS,
                                MkdirsRequest.newBuilder()
                                        .setLocation(SimulatedCluster.at("e"))
                                        .build())
                        .error())
                .isEqualTo(FsError.SESSION_EXPIRED);
        cluster.until("it is forgotten", view -> Sessions.find(view, 1).isEmpty(), 5 * SESSION_MILLIS);
    }

    @Test
    void aClosedSessionsOpenFilesAreRecoveredToo() {
        SimulatedClient writer = cluster.client(1);
        Attributes closed = createFile(writer, "closed");
        Attributes open = createFile(writer, "open");
        Attributes untouched = createFile(writer, "untouched");
        writer.call(Kind.ATTACH, attach(open, 0, cluster.io1().make(3)));
        writer.call(Kind.CLOSE, close(closed, 10, column(0, cluster.io1().make(10))));
        writer.call(
                Kind.CLOSE_SESSION,
                CloseSessionRequest.newBuilder().setSession(1).build());
        cluster.until("recovered", view -> !row(open).getRecovering(), 20_000);
        assertThat(row(open).getWriteGeneration()).isEqualTo(2);
        assertThat(row(closed).getWriteGeneration()).isEqualTo(1);
        assertThat(row(closed).getLength()).isEqualTo(10);
        assertThat(row(untouched).getWriteGeneration())
                .as("it was closed already")
                .isEqualTo(1);
    }

    @Test
    void aSessionBelongsToItsUser() {
        cluster.client(1);
        SimulatedClient thief =
                new SimulatedClient(cluster.time(), cluster.network(), SimulatedCluster.MDS, 1, "thief");
        assertThat(thief.open().error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(cluster.client(2)
                        .call(Kind.OPEN_SESSION, OpenSessionRequest.getDefaultInstance())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }
}
