package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.GetXattrsRequest;
import io.steadfs.wire.proto.LinkRequest;
import io.steadfs.wire.proto.ListPartitionsRequest;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import io.steadfs.wire.proto.RemoveXattrRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Nobody begins a walk where no shard has sent it. A user who may not pass /closed knows the handles of all that is
 * below, and asks for it by every kind of request that has a path. What is below is open to all.
 */
class ForgedStartsTest {
    private static final int SHARDS = 3;
    private static final long SESSION = 77;
    private static final String OWNER = "root";
    private static final String STRANGER = "mallory";
    private static final long TRACE = 5;
    private static final Handle UNKNOWN_FILE = Handle.of(Handle.shardOwner(0), 0, 999);

    private final SimulatedShards cluster = new SimulatedShards(SHARDS, 1);
    private final Transport network = cluster.network().client("mallory");
    private final List<Handle> directories = new ArrayList<>();
    private final List<Handle> files = new ArrayList<>();
    private long lastRequest;

    @BeforeEach
    void aClosedTree() throws FsException {
        AsyncSteadFs owner = cluster.client(OWNER);
        for (int i = 0; i < 6 * SHARDS; i++) {
            FsPath directory = FsPath.parse("closed/d" + i);
            var unused = cluster.await("mkdirs", owner.names().mkdirs(directory, 0777, true, true));
            directories.add(
                    cluster.await("stat", owner.attributes().stat(directory)).handle());
            FsPath file = directory.child("f");
            cluster.await(
                    "close",
                    cluster.await("create", owner.writes().create(file, CreateOptions.DEFAULT))
                            .close());
            files.add(cluster.await("stat", owner.attributes().stat(file)).handle());
        }
        assertThat(directories.stream().map(Handle::shard).distinct()).hasSize(SHARDS);
        var unused = cluster.await(
                "chmod", owner.attributes().setAttributes(FsPath.parse("closed"), AttributeChange.mode(0700)));
        OpenSessionRequest open = OpenSessionRequest.newBuilder()
                .setSession(SESSION)
                .setClient("test")
                .build();
        int home = HomeShard.of(SESSION, SHARDS);
        assertThat(ask(STRANGER, 0, home, Kind.OPEN_SESSION, open).error()).isEqualTo(FsError.OK);
        cluster.quiet();
    }

    /** @param traceId of the operation, if it is a read; each change is an operation of its own */
    private Reply ask(String user, long traceId, int shard, Kind kind, Message body) {
        RequestHeader.Builder header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setShard(shard + 1)
                .setTraceId(traceId)
                .setCaller(Caller.newBuilder().setUser(user));
        if (kind.target() == Kind.Target.MDS_RECORDED) {
            header.setSession(SESSION).setRequestId(++lastRequest).setLowestUnanswered(lastRequest);
        }
        Request request = new Request(kind, header.build(), body, Payload.EMPTY);
        Reply reply = cluster.await(
                kind + " of " + user, network.send(cluster.shard(shard).address(), request, 60_000));
        reply.payload().release();
        return reply;
    }

    private static Location at(Handle start, String path, ByteString token) {
        return Location.newBuilder()
                .setStart(start.value())
                .setPath(path)
                .setToken(token)
                .build();
    }

    /** All kinds of requests of users that have a path. */
    private static List<Kind> kinds() {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.audience() == Audience.USER)
                .filter(kind -> kind == Kind.RENAME || hasLocation((Message) kind.emptyRequest()))
                .toList();
    }

    private static boolean hasLocation(Message request) {
        return request.getDescriptorForType().findFieldByName("location") != null;
    }

    /** A request that is right but for its start. */
    private static Message request(Kind kind, Location at) {
        return switch (kind) {
            case STAT -> StatRequest.newBuilder().setLocation(at).build();
            case LIST -> ListRequest.newBuilder().setLocation(at).build();
            case LIST_TREE -> ListTreeRequest.newBuilder().setLocation(at).build();
            case LIST_PARTITIONS ->
                ListPartitionsRequest.newBuilder().setLocation(at).build();
            case GET_XATTRS -> GetXattrsRequest.newBuilder().setLocation(at).build();
            case CONTENT_SUMMARY ->
                ContentSummaryRequest.newBuilder().setLocation(at).build();
            case CREATE ->
                CreateRequest.newBuilder().setLocation(at).setMode(0666).build();
            case MKDIRS ->
                MkdirsRequest.newBuilder().setLocation(at).setMode(0777).build();
            case CREATE_SYMLINK ->
                CreateSymlinkRequest.newBuilder()
                        .setLocation(at)
                        .setTarget("/closed")
                        .build();
            case DELETE ->
                DeleteRequest.newBuilder().setLocation(at).setRecursive(true).build();
            case RENAME ->
                RenameRequest.newBuilder()
                        .setSource(at)
                        .setTarget(Location.newBuilder().setPath("taken"))
                        .build();
            case SET_ATTRIBUTES ->
                SetAttributesRequest.newBuilder().setLocation(at).setMode(0).build();
            case SET_XATTR ->
                SetXattrRequest.newBuilder()
                        .setLocation(at)
                        .setName("user.a")
                        .setCreate(true)
                        .build();
            case REMOVE_XATTR ->
                RemoveXattrRequest.newBuilder()
                        .setLocation(at)
                        .setName("user.a")
                        .build();
            case APPEND -> AppendRequest.newBuilder().setLocation(at).build();
            case TRUNCATE_FILE ->
                TruncateFileRequest.newBuilder().setLocation(at).build();
            case RECOVER_LEASE ->
                RecoverLeaseRequest.newBuilder().setLocation(at).build();
            case LINK ->
                LinkRequest.newBuilder()
                        .setLocation(at)
                        .setMetafile(UNKNOWN_FILE.value())
                        .build();
            default -> throw new IllegalArgumentException(kind + " is a new kind with a path: add it here");
        };
    }

    private void refused(Kind kind, Location forged) {
        int shard = new Handle(forged.getStart()).shard();
        Reply reply = ask(STRANGER, TRACE, shard, kind, request(kind, forged));
        assertThat(reply.error()).as(kind + " " + forged).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(reply.header().getMessage()).contains("no shard sent", STRANGER);
    }

    @Test
    void aStartThatNobodyGaveIsNoStart() {
        SortedMap<String, Handle> before = cluster.state().paths();
        byte[] guessed = new byte[36];
        new Random(1).nextBytes(guessed);
        for (ByteString token : List.of(ByteString.EMPTY, ByteString.copyFrom(guessed))) {
            for (Kind kind : kinds()) {
                for (Handle directory : directories) {
                    refused(kind, at(directory, "f", token));
                    refused(kind, at(directory, "new", token));
                    refused(kind, at(directory, "", token));
                }
                for (Handle file : files) {
                    refused(kind, at(file, "", token));
                }
            }
        }
        cluster.quiet();
        assertThat(cluster.state().paths()).isEqualTo(before);
    }

    /** Who asks by the handle of a file, as one who has it open, is told whether it is there, and not where its bytes are. */
    @Test
    void theHandleOfAFileTellsNothingOfItsBytes() {
        for (Handle file : files) {
            StatRequest request = StatRequest.newBuilder()
                    .setMetafile(file.value())
                    .setWantLayout(true)
                    .build();
            Reply reply = ask(STRANGER, TRACE, file.shard(), Kind.STAT, request);
            assertThat(reply.error()).isEqualTo(FsError.OK);
            assertThat(((StatReply) reply.body()).getAttributes())
                    .isEqualTo(Attributes.newBuilder()
                            .setHandle(file.value())
                            .setType(FileType.FILE)
                            .setWriteGeneration(1)
                            .build());
        }
    }

    /** Also the source of a rename that its own shard has not resolved: only the shard of the target sees it. */
    @Test
    void neitherIsTheSourceOfARenameOnAnotherShard() {
        for (Handle directory : directories) {
            RenameRequest rename = RenameRequest.newBuilder()
                    .setSource(at(directory, "f", ByteString.EMPTY))
                    .setTarget(Location.newBuilder().setPath("taken"))
                    .build();
            assertThat(ask(STRANGER, TRACE, 0, Kind.RENAME, rename).error()).isEqualTo(FsError.PERMISSION_DENIED);
        }
    }

    /** A walk from the root, until a shard sends it on to the start, or to its answer. */
    private Reply walk(String user, Kind kind, String path, long start) {
        Location at = Location.newBuilder().setPath(path).build();
        Reply reply = ask(user, TRACE, 0, kind, request(kind, at));
        while (reply.error() == FsError.CONTINUE && reply.header().getContinueDirectory() != start) {
            Location rest = at(
                    new Handle(reply.header().getContinueDirectory()),
                    reply.header().getContinuePath(),
                    reply.header().getContinueToken());
            lastRequest = kind.target() == Kind.Target.MDS_RECORDED ? lastRequest - 1 : lastRequest;
            reply = ask(user, TRACE, new Handle(rest.getStart()).shard(), kind, request(kind, rest));
        }
        return reply;
    }

    /** The owner's walk is sent on with a token. It is good for him and for this operation. */
    @Test
    void aTokenIsForOneUserAndOneOperation() {
        int sentOn = 0;
        for (int i = 0; i < directories.size(); i++) {
            Handle directory = directories.get(i);
            Reply reply = walk(OWNER, Kind.STAT, "closed/d" + i, directory.value());
            if (reply.error() != FsError.CONTINUE) {
                continue;
            }
            sentOn++;
            ByteString token = reply.header().getContinueToken();
            Message next = request(Kind.STAT, at(directory, "", token));
            assertThat(ask(OWNER, TRACE, directory.shard(), Kind.STAT, next).error())
                    .isEqualTo(FsError.OK);
            assertThat(ask(OWNER, TRACE + 1, directory.shard(), Kind.STAT, next).error())
                    .as("another operation")
                    .isEqualTo(FsError.PERMISSION_DENIED);
            for (Kind kind : kinds()) {
                refused(kind, at(directory, "", token));
                refused(kind, at(directory, "f", token));
            }
            for (Handle other : directories) {
                if (!other.equals(directory)) {
                    Message elsewhere = request(Kind.STAT, at(other, "", token));
                    assertThat(ask(OWNER, TRACE, other.shard(), Kind.STAT, elsewhere)
                                    .error())
                            .as("another start")
                            .isEqualTo(FsError.PERMISSION_DENIED);
                }
            }
        }
        assertThat(sentOn).isGreaterThan(SHARDS);
    }

    @Test
    void theStrangerIsStoppedOnTheWay() {
        for (Kind kind : kinds()) {
            Reply reply = walk(STRANGER, kind, "closed/d0/f", 0);
            assertThat(reply.error()).as("%s", kind).isEqualTo(FsError.PERMISSION_DENIED);
            assertThat(reply.header().getMessage()).as("%s", kind).contains("user mallory may not --x");
        }
    }
}
