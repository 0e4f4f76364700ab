package io.steadfs.mds.op.write;

import static io.steadfs.mds.testing.SimulatedCluster.SESSION_MILLIS;
import static io.steadfs.mds.testing.SimulatedCluster.at;
import static io.steadfs.mds.testing.SimulatedCluster.attach;
import static io.steadfs.mds.testing.SimulatedCluster.close;
import static io.steadfs.mds.testing.SimulatedCluster.column;
import static io.steadfs.mds.testing.SimulatedCluster.createFile;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.server.StopShard;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileClaimed;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.SimulatedClient;
import io.steadfs.mds.testing.SimulatedCluster;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.store.Overlay;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonRequest;
import io.steadfs.wire.proto.AppendReply;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClaimFilesReply;
import io.steadfs.wire.proto.ClaimFilesRequest;
import io.steadfs.wire.proto.ClaimedFile;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.ConfirmDatafilesReply;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files to which nothing was written yet: what is durable of them, who may write them, and what a restart of the shard
 * makes of that.
 */
class UntouchedFileTest {
    private static final Session SESSION = new Session(1, "", "user", 1, 0, false);

    private final SimulatedCluster cluster = new SimulatedCluster(1);
    private final SimulatedClient maker = cluster.client(1);
    private final SimulatedClient other = cluster.client(2);

    private MetafileRow row(Attributes file) {
        return Metafiles.find(cluster.committed(), new Handle(file.getHandle())).orElseThrow();
    }

    private long syncs() {
        return cluster.mds().store().syncs();
    }

    private void restart() {
        cluster.mds().crash(100);
        cluster.until("the shard is back", view -> true, 5_000);
    }

    private static CloseRequest closeUntouched(Attributes file) {
        return close(file, 0).toBuilder().setUntouched(true).build();
    }

    private static ClaimFilesRequest claims(Attributes... files) {
        ClaimFilesRequest.Builder request = ClaimFilesRequest.newBuilder();
        for (Attributes file : files) {
            request.addFiles(ClaimedFile.newBuilder()
                    .setMetafile(file.getHandle())
                    .setWriteGeneration(file.getWriteGeneration())
                    .setPath("/claimed"));
        }
        return request.build();
    }

    private static int claimed(Reply reply) {
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return ((ClaimFilesReply) reply.body()).getClaimed();
    }

    private static AppendRequest append(String path) {
        return AppendRequest.newBuilder().setLocation(at(path)).build();
    }

    /** The error of one try, without the repetition that a client makes. */
    private FsError once(SimulatedClient client, Kind kind, MessageLite body, long id) {
        CompletableFuture<Reply> reply = client.send(kind, body, id);
        cluster.time().runUntil(kind + " is answered", reply::isDone, 1_000);
        return reply.join().error();
    }

    private boolean isOpen(String path) {
        Reply reply = other.call(
                Kind.STAT, StatRequest.newBuilder().setLocation(at(path)).build());
        return ((StatReply) reply.body()).getAttributes().getOpen();
    }

    /** The answer to a question that only servers and administrators may ask. */
    private Reply ofServer(Kind kind, MessageLite body) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setCaller(Caller.newBuilder().setUser("root"))
                .build();
        CompletableFuture<Reply> reply = cluster.network()
                .client("server", TestHello.peerIdentity())
                .send(SimulatedCluster.MDS, new Request(kind, header, body, Payload.EMPTY), 1_000);
        cluster.time().runUntil(kind + " is answered", reply::isDone, 2_000);
        return reply.join();
    }

    private int openFiles() {
        Reply reply = ofServer(Kind.LIST_OPEN_FILES, ListOpenFilesRequest.getDefaultInstance());
        return ((ListOpenFilesReply) reply.body()).getFilesCount();
    }

    @Test
    void whatACreateMakesDurableIsAClosedEmptyFile() {
        Attributes file = createFile(maker, "f");
        assertThat(file.getOpen()).isTrue();
        assertThat(row(file).getWriterSession()).isZero();
        assertThat(row(file).getUntouchedSession()).isEqualTo(1);
        assertThat(Metafiles.isOpen(row(file))).isFalse();
        assertThat(isOpen("f")).isTrue();
        assertThat(openFiles()).isEqualTo(1);
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.FILE_OPEN);
        cluster.state();
    }

    @Test
    void theCloseOfAnUntouchedFileIsNoCommit() {
        Attributes file = createFile(maker, "f");
        MetafileRow before = row(file);
        long syncs = syncs();
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(syncs()).isEqualTo(syncs);
        assertThat(row(file)).isEqualTo(before);
        assertThat(isOpen("f")).isFalse();
        assertThat(openFiles()).isZero();
        assertThat(maker.again(Kind.CLOSE, closeUntouched(file)).error())
                .as("a repetition gets the same answer")
                .isEqualTo(FsError.OK);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error())
                .as("so does another request, by the row")
                .isEqualTo(FsError.OK);
        assertThat(other.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.NOT_WRITER);
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(1)))
                        .error())
                .isEqualTo(FsError.NOT_WRITER);
        Reply appended = other.call(Kind.APPEND, append("f"));
        assertThat(((AppendReply) appended.body()).getAttributes().getWriteGeneration())
                .isEqualTo(2);
        assertThat(row(file).getUntouchedSession()).isZero();
    }

    @Test
    void aRepeatedCloseIsAnsweredAsBeforeWhateverHappenedSince() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.OK);
        assertThat(maker.again(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(row(file).getWriterSession()).isEqualTo(2);
    }

    @Test
    void aCloseThatNamesBytesIsNotOfAnUntouchedFile() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(
                                Kind.CLOSE,
                                closeUntouched(file).toBuilder().setLength(1).build())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(maker.call(
                                Kind.CLOSE,
                                closeUntouched(file).toBuilder()
                                        .addColumns(column(0, cluster.io1().make(1)))
                                        .build())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(isOpen("f")).isTrue();
    }

    @Test
    void anAttachMakesTheClaimDurable() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(row(file).getWriterSession()).isEqualTo(1);
        assertThat(row(file).getUntouchedSession()).isZero();
        assertThat(openFiles()).isEqualTo(1);
        restart();
        assertThat(isOpen("f")).isTrue();
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.FILE_OPEN);
        assertThat(maker.call(Kind.CLOSE, close(file, 7)).error()).isEqualTo(FsError.OK);
        assertThat(row(file).getLength()).isEqualTo(7);
        cluster.state();
    }

    /** As in HDFS, a file has the time of its close, whatever was set while it was open. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCloseReplacesATimeThatWasSetWhileTheFileWasOpen(boolean restarted) {
        Attributes file = createFile(maker, "f");
        assertThat(setTimes("f", 5, OptionalLong.of(7)).getOpen()).isTrue();
        assertThat(row(file).getModificationTime()).isEqualTo(7);
        assertThat(row(file).getWriterSession()).isEqualTo(1);
        assertThat(row(file).getUntouchedSession()).isZero();
        assertThat(openFiles()).isEqualTo(1);
        cluster.state();
        if (restarted) {
            restart();
        }
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file)))).isZero();
        assertThat(once(other, Kind.APPEND, append("f"), 900)).isEqualTo(FsError.FILE_OPEN);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(isOpen("f")).isFalse();
        assertThat(openFiles()).isZero();
        assertThat(row(file).getModificationTime()).isGreaterThan(file.getModificationTime());
        assertThat(row(file).getAccessTime()).isEqualTo(5);
        cluster.state();
    }

    @Test
    void aTimeThatIsSetOfAClosedFileStays() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(setTimes("f", 5, OptionalLong.of(7)).getOpen()).isFalse();
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error())
                .as("another request to close it")
                .isEqualTo(FsError.OK);
        assertThat(row(file).getModificationTime()).isEqualTo(7);
        assertThat(row(file).getWriterSession()).isZero();
    }

    @Test
    void theAccessTimeDoesNotTouchAFile() {
        Attributes file = createFile(maker, "f");
        assertThat(setTimes("f", 5, OptionalLong.empty()).getOpen()).isTrue();
        assertThat(row(file).getUntouchedSession()).isEqualTo(1);
    }

    /** The maker may have closed the file before the restart. Then nobody would close it again. */
    @Test
    void aTimeThatIsSetWithinTheGraceLeavesTheDoubt() {
        Attributes file = createFile(maker, "f");
        restart();
        assertThat(setTimes("f", 5, OptionalLong.of(7)).getOpen()).isTrue();
        assertThat(row(file).getUntouchedSession()).isEqualTo(1);
        assertThat(once(other, Kind.APPEND, append("f"), 900)).isEqualTo(FsError.BUSY);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(row(file).getModificationTime()).isEqualTo(7);
    }

    private Attributes setTimes(String path, long access, OptionalLong modification) {
        SetAttributesRequest.Builder request =
                SetAttributesRequest.newBuilder().setLocation(at(path)).setAccessTime(access);
        modification.ifPresent(request::setModificationTime);
        Reply reply = maker.call(Kind.SET_ATTRIBUTES, request.build());
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return ((SetAttributesReply) reply.body()).getAttributes();
    }

    @Test
    void aCloseWithBytesNeedsNoAttachBefore() {
        Attributes file = createFile(maker, "f");
        Handle datafile = cluster.io1().make(7);
        assertThat(maker.call(Kind.CLOSE, close(file, 7, column(0, datafile))).error())
                .isEqualTo(FsError.OK);
        assertThat(row(file).getLength()).isEqualTo(7);
        assertThat(row(file).getUntouchedSession()).isZero();
        assertThat(openFiles()).isZero();
        assertThat(isOpen("f")).isFalse();
        cluster.state();
    }

    @Test
    void afterARestartNobodyElseTakesTheFileBeforeItsSessionCouldClaimIt() {
        Attributes file = createFile(maker, "f");
        restart();
        assertThat(isOpen("f")).isTrue();
        assertThat(once(other, Kind.APPEND, append("f"), 900)).isEqualTo(FsError.BUSY);
        assertThat(once(
                        other,
                        Kind.TRUNCATE_FILE,
                        TruncateFileRequest.newBuilder().setLocation(at("f")).build(),
                        901))
                .isEqualTo(FsError.BUSY);
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file)))).isEqualTo(1);
        assertThat(openFiles()).isEqualTo(1);
        assertThat(once(other, Kind.APPEND, append("f"), 902)).isEqualTo(FsError.FILE_OPEN);
        passGrace();
        assertThat(once(other, Kind.APPEND, append("f"), 903))
                .as("the claim outlives the grace")
                .isEqualTo(FsError.FILE_OPEN);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(once(other, Kind.APPEND, append("f"), 904)).isEqualTo(FsError.OK);
    }

    /** Both sessions live on until the grace is over. */
    private void passGrace() {
        for (int i = 0; i < 8; i++) {
            cluster.time().runFor(SESSION_MILLIS / 4);
            renew(maker, 1);
            renew(other, 2);
        }
    }

    private static void renew(SimulatedClient client, long session) {
        assertThat(client.call(
                                Kind.RENEW_SESSION,
                                RenewSessionRequest.newBuilder()
                                        .setSession(session)
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
    }

    @Test
    void aFileThatNobodyClaimsIsClosedAfterTheGrace() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        restart();
        assertThat(once(other, Kind.APPEND, append("f"), 900)).isEqualTo(FsError.BUSY);
        passGrace();
        assertThat(isOpen("f")).isFalse();
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.OK);
        assertThat(row(file).getWriterSession()).isEqualTo(2);
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file)))).isZero();
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.STALE_GENERATION);
    }

    @Test
    void aWriterThatComesBackAfterTheGraceKeepsAFileThatNobodyTook() {
        Attributes file = createFile(maker, "f");
        restart();
        passGrace();
        assertThat(isOpen("f")).isFalse();
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(isOpen("f")).isTrue();
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.FILE_OPEN);
    }

    @Test
    void aFileOfASessionThatEndedIsClosedAtOnceAfterARestart() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(
                                Kind.CLOSE_SESSION,
                                CloseSessionRequest.newBuilder().setSession(1).build())
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(isOpen("f")).isFalse();
        assertThat(openFiles()).isZero();
        restart();
        assertThat(isOpen("f")).isFalse();
        assertThat(maker.call(Kind.CLAIM_FILES, claims(file)).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(other.call(Kind.APPEND, append("f")).error()).isEqualTo(FsError.OK);
    }

    @Test
    void anAttachOrACloseWithoutAClaimIsOfItsWriterToo() {
        Attributes attached = createFile(maker, "a");
        Attributes closed = createFile(maker, "c");
        Attributes untouched = createFile(maker, "u");
        restart();
        assertThat(maker.call(Kind.ATTACH, attach(attached, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(maker.call(
                                Kind.CLOSE,
                                close(closed, 9, column(0, cluster.io1().make(9))))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(untouched)).error()).isEqualTo(FsError.OK);
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(attached, closed, untouched))))
                .as("a claim that comes late is of no file that was closed")
                .isZero();
        assertThat(row(attached).getWriterSession()).isEqualTo(1);
        assertThat(row(closed).getLength()).isEqualTo(9);
        assertThat(other.call(Kind.APPEND, append("u")).error()).isEqualTo(FsError.OK);
        assertThat(other.call(Kind.APPEND, append("c")).error()).isEqualTo(FsError.OK);
        cluster.state();
    }

    @Test
    void othersTakeAnUntouchedFileByRecoverLease() {
        Attributes file = createFile(maker, "f");
        Attributes doubtful = createFile(maker, "d");
        recover("f");
        assertThat(row(file).getWriteGeneration()).isEqualTo(2);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.STALE_GENERATION);
        restart();
        recover("d");
        assertThat(row(doubtful).getWriteGeneration()).isEqualTo(2);
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file, doubtful))))
                .isZero();
        cluster.until("recovered", view -> !row(doubtful).getRecovering(), 20_000);
        assertThat(other.call(Kind.APPEND, append("d")).error()).isEqualTo(FsError.OK);
        cluster.state();
    }

    /** As a job does that must be sure that an old writer writes no more. */
    @Test
    void whoRecoversTheLeaseShutsOutAMakerThatWasAwayForTheWholeGrace() {
        Attributes file = createFile(maker, "f");
        restart();
        passGrace();
        recover("f");
        cluster.until("recovered", view -> !row(file).getRecovering(), 20_000);
        assertThat(row(file).getWriteGeneration()).isEqualTo(2);
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.STALE_GENERATION);
    }

    @Test
    void aClosedFileNeedsNoRecovery() {
        Attributes file = createFile(maker, "f");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        recover("f");
        assertThat(row(file).getWriteGeneration()).isEqualTo(1);
    }

    @Test
    void aFileNamedTwiceInARequestIsClaimedOnce() {
        Attributes file = createFile(maker, "f");
        restart();
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file, file)))).isEqualTo(1);
        assertThat(openFiles()).isEqualTo(1);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(openFiles()).isZero();
        assertThat(written()).isZero();
    }

    /** What the status tells of files that are open. */
    private long written() {
        return ((StatusReply) other.call(Kind.STATUS, StatusRequest.getDefaultInstance())
                        .body())
                .getGaugesOrThrow("metafiles.written");
    }

    @Test
    void moreClaimsThanTheHeapKeepsAreDurableWriters() {
        for (int i = 0; i < Claims.MOST; i++) {
            createFile(maker, "f" + i);
        }
        Attributes more = createFile(maker, "more");
        assertThat(row(more).getUntouchedSession()).isZero();
        assertThat(row(more).getWriterSession()).isEqualTo(1);
        assertThat(written()).isEqualTo(Claims.MOST + 1);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(more)).error()).isEqualTo(FsError.OK);
        assertThat(row(more).getWriterSession()).isZero();
        assertThat(written()).isEqualTo(Claims.MOST);
        cluster.state();
    }

    @Test
    void afterASalvageNobodyClaimsAFileAgain() throws IOException {
        Attributes file = createFile(maker, "f");
        try (Overlay overlay = cluster.mds().store().overlay()) {
            Unsettled.mark(overlay, ShardTables.META, "salvaged");
            cluster.mds().store().commit(overlay, true);
        }
        restart();
        assertThat(isOpen("f")).isFalse();
        assertThat(claimed(maker.call(Kind.CLAIM_FILES, claims(file)))).isZero();
        assertThat(maker.call(Kind.ATTACH, attach(file, 0, cluster.io1().make(7)))
                        .error())
                .isEqualTo(FsError.NOT_WRITER);
        Attributes next = createFile(maker, "next");
        assertThat(isOpen("next")).isTrue();
        assertThat(row(next).getUntouchedSession()).isEqualTo(1);
    }

    @Test
    void aShardThatStopsInOrderKnowsLaterWhichFilesAreOpen() {
        Attributes open = createFile(maker, "open");
        Attributes closed = createFile(maker, "closed");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(closed)).error()).isEqualTo(FsError.OK);
        assertThat(cluster.mds().settleClaims()).isFalse();
        assertThat(row(open).getWriterSession()).isEqualTo(1);
        cluster.state();
        restart();
        assertThat(isOpen("open")).isTrue();
        assertThat(isOpen("closed")).isFalse();
        assertThat(maker.call(Kind.CLOSE, closeUntouched(closed)).error())
                .as("a repetition of which the shard knows no more")
                .isEqualTo(FsError.OK);
        assertThat(once(other, Kind.APPEND, append("open"), 900)).isEqualTo(FsError.FILE_OPEN);
        assertThat(once(other, Kind.APPEND, append("closed"), 901)).isEqualTo(FsError.OK);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(open)).error()).isEqualTo(FsError.OK);
        assertThat(isOpen("open")).isFalse();
    }

    /** The claims of an ended session are removed in steps, and may still be there. */
    @Test
    void theClaimsOfASessionThatEndedHaveNoForce() {
        State state = new State();
        Handle file = Handle.of(Handle.shardOwner(0), 0, 7);
        MetafileRow untouched = MetafileRow.newBuilder()
                .setUntouchedSession(1)
                .setWriteGeneration(1)
                .build();
        state.replay(List.of(
                new SessionPut(SESSION.withEnd()),
                new MetafileSet(file, untouched),
                new FileClaimed(1, file, "/f", 0)));
        assertThat(FileWriter.of(state.view(), file, untouched).session()).isZero();
        assertThat(FileWriter.isOpen(state.view(), file, untouched)).isFalse();
        assertThat(FileWriter.mayBeWritten(state.view(), file, untouched)).isFalse();
        state.replay(new StopShard()
                .decide(state.view(), new Inputs(11, 0, FixedInputs.CLUSTER, 0, 1, 1000))
                .records());
        assertThat(Metafiles.find(state.view(), file)).hasValue(untouched);
        assertThat(Claims.after(state.view(), Optional.empty(), 1)).isEmpty();
    }

    @Test
    void aStopWithinTheGraceLeavesTheDoubt() {
        createFile(maker, "f");
        restart();
        assertThat(cluster.mds().settleClaims()).isFalse();
        restart();
        assertThat(once(other, Kind.APPEND, append("f"), 900)).isEqualTo(FsError.BUSY);
    }

    /** A reader whose snapshot is from before a close with bytes, and that looks for the claim after it. */
    @Test
    void aReaderWithAnOlderRowIsNotToldThatAFileWasClosedAndEmpty() {
        State state = new State();
        Handle file = Handle.of(Handle.shardOwner(0), 0, 7);
        MetafileRow untouched = MetafileRow.newBuilder()
                .setUntouchedSession(1)
                .setWriteGeneration(1)
                .build();
        state.replay(
                List.of(new SessionPut(SESSION), new MetafileSet(file, untouched), new FileClaimed(1, file, "/f", 0)));
        assertThat(FileWriter.isOpen(state.view(), file, untouched)).isTrue();
        MetafileRow closed =
                untouched.toBuilder().setUntouchedSession(0).setLength(9).build();
        state.replay(List.of(new MetafileSet(file, closed), new ClaimEnded(1, file)));
        assertThat(FileWriter.isOpen(state.view(), file, untouched)).isTrue();
        assertThat(FileWriter.isOpen(state.view(), file, closed)).isFalse();
        state.replay(List.of(new MetafileSet(file, untouched)));
        assertThat(FileWriter.isOpen(state.view(), file, untouched))
                .as("given up, and still untouched")
                .isFalse();
    }

    private void recover(String path) {
        assertThat(other.call(
                                Kind.RECOVER_LEASE,
                                RecoverLeaseRequest.newBuilder()
                                        .setLocation(at(path))
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
    }

    @Test
    void anAbandonedOrDeletedFileHasNoClaimLeft() {
        Attributes abandoned = createFile(maker, "a");
        createFile(maker, "d");
        assertThat(openFiles()).isEqualTo(2);
        assertThat(maker.call(
                                Kind.ABANDON,
                                AbandonRequest.newBuilder()
                                        .setMetafile(abandoned.getHandle())
                                        .setWriteGeneration(1)
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(other.call(
                                Kind.DELETE,
                                DeleteRequest.newBuilder().setLocation(at("d")).build())
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(openFiles()).isZero();
        cluster.state();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDatafileIsNeverGivenUpWhileTheSessionLives(boolean restarted) {
        Attributes file = createFile(maker, "f");
        Handle datafile = cluster.io1().make(7);
        ConfirmDatafilesRequest question = ConfirmDatafilesRequest.newBuilder()
                .addDatafiles(ConfirmDatafilesRequest.Datafile.newBuilder()
                        .setMetafile(file.getHandle())
                        .setIndex(0)
                        .setDatafile(datafile.value())
                        .setWriteGeneration(1))
                .build();
        if (restarted) {
            restart();
        }
        assertThat(verdict(question)).isEqualTo(ConfirmDatafilesReply.Verdict.PENDING);
        assertThat(maker.call(Kind.CLOSE, closeUntouched(file)).error()).isEqualTo(FsError.OK);
        assertThat(verdict(question)).isEqualTo(ConfirmDatafilesReply.Verdict.PENDING);
        cluster.until(
                "the session expires",
                view -> Sessions.find(view, 1).map(Session::ended).orElse(true),
                3 * SESSION_MILLIS);
        assertThat(verdict(question)).isEqualTo(ConfirmDatafilesReply.Verdict.NEVER);
    }

    private ConfirmDatafilesReply.Verdict verdict(ConfirmDatafilesRequest question) {
        return ((ConfirmDatafilesReply)
                        ofServer(Kind.CONFIRM_DATAFILES, question).body())
                .getVerdicts(0);
    }

    /** The shard loses power before or after each step of the life of a file; the writer repeats what was not answered. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtAnyStepLosesNothingThatWasAnswered(boolean after) {
        for (int step = 0; step < 12; step++) {
            UntouchedFileTest fresh = new UntouchedFileTest();
            fresh.cluster.mds().crashAt(fresh.cluster.mds().steps() + step, after);
            fresh.life();
        }
    }

    private void life() {
        Attributes empty = createFile(maker, "empty");
        assertThat(maker.call(Kind.CLOSE, closeUntouched(empty)).error()).isEqualTo(FsError.OK);
        Attributes filled = createFile(maker, "filled");
        assertThat(maker.call(
                                Kind.CLOSE,
                                close(filled, 9, column(0, cluster.io1().make(9))))
                        .error())
                .isEqualTo(FsError.OK);
        Attributes flushed = createFile(maker, "flushed");
        assertThat(maker.call(Kind.ATTACH, attach(flushed, 0, cluster.io1().make(5)))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(maker.call(Kind.CLOSE, close(flushed, 5)).error()).isEqualTo(FsError.OK);
        assertThat(other.call(Kind.APPEND, append("empty")).error()).isEqualTo(FsError.OK);
        assertThat(row(empty).getLength()).isZero();
        assertThat(row(empty).getWriterSession()).isEqualTo(2);
        assertThat(row(filled).getLength()).isEqualTo(9);
        assertThat(row(flushed).getLength()).isEqualTo(5);
        cluster.state();
    }
}
