package io.steadfs.mds.duty;

import static io.steadfs.mds.testing.SimulatedCluster.SESSION_MILLIS;
import static io.steadfs.mds.testing.SimulatedCluster.attach;
import static io.steadfs.mds.testing.SimulatedCluster.close;
import static io.steadfs.mds.testing.SimulatedCluster.column;
import static io.steadfs.mds.testing.SimulatedCluster.createFile;
import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
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
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.StatRequest;
import org.junit.jupiter.api.Test;

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
        assertThat(RecordedReplies.ids(cluster.committed(), 1, 0, Long.MAX_VALUE, 1))
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
        writer.call(Kind.CLOSE, close(closed, 10, column(0, cluster.io1().make(10))));
        writer.call(
                Kind.CLOSE_SESSION,
                CloseSessionRequest.newBuilder().setSession(1).build());
        cluster.until("recovered", view -> !row(open).getRecovering(), 20_000);
        assertThat(row(open).getWriteGeneration()).isEqualTo(2);
        assertThat(row(closed).getWriteGeneration()).isEqualTo(1);
        assertThat(row(closed).getLength()).isEqualTo(10);
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
