package io.steadfs.mds.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.steadfs.disk.Disk;
import io.steadfs.disk.NoSpaceException;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ListStoreFilesReply;
import io.steadfs.wire.proto.ListStoreFilesRequest;
import io.steadfs.wire.proto.ReadStoreFileReply;
import io.steadfs.wire.proto.ReadStoreFileRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store goes from one directory to another one, through the door of its host. */
class StoreMoveTest {
    private static final StoreDoor.Move MOVE = new StoreDoor.Move(3, 2, 7);
    private static final int PART_BYTES = 1000;

    private final Path store;
    private final Path arriving;
    private final Random random = new Random(7);
    private final List<Request> passedOn = new ArrayList<>();
    private final List<String> read = new ArrayList<>();
    private StoreDoor door;
    private long freeBytes = 1 << 30;
    private UnaryOperator<Reply> onTheWay = reply -> reply;

    StoreMoveTest(@TempDir Path directory) throws IOException {
        this.store = Files.createDirectory(directory.resolve("shard-3"));
        this.arriving = Files.createDirectory(directory.resolve("arriving-3"));
    }

    @BeforeEach
    void aStore() throws IOException {
        write("CURRENT", 16);
        write("MANIFEST-000004", 300);
        write("000007.sst", 3 * PART_BYTES);
        write("000008.sst", PART_BYTES - 1);
        write("000009.log", 0);
        write("LOCK", 0);
        write("LOG", 50);
        write("LOG.old.1700000000", 50);
        door = new StoreDoor(
                call -> {
                    passedOn.add(call.request());
                    call.reply(Reply.ok(call.request().kind().emptyReply()));
                },
                new Stores(),
                PART_BYTES,
                Runnable::run,
                "mds-1");
    }

    @AfterEach
    void close() {
        door.close();
    }

    private void write(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Files.write(store.resolve(name), bytes);
    }

    /** The host of shard 3, which moves to mds-2. */
    private final class Stores implements StoreDoor.Stores {
        @Override
        public ListStoreFilesReply list(StoreDoor.Move move, boolean last) throws IOException {
            check(move);
            ListStoreFilesReply.Builder list = ListStoreFilesReply.newBuilder();
            for (StoreFiles.Listed file : StoreFiles.list(store)) {
                list.addFiles(ListStoreFilesReply.File.newBuilder()
                        .setName(file.name())
                        .setLength(file.length())
                        .setModifiedNanos(file.modifiedNanos()));
            }
            return list.build();
        }

        @Override
        public Path directory(StoreDoor.Move move, boolean last) throws IOException {
            check(move);
            return store;
        }

        private void check(StoreDoor.Move move) throws FsException {
            if (!move.equals(MOVE)) {
                throw new FsException(FsError.NOT_OWNER, "not " + move);
            }
        }
    }

    private CompletableFuture<Reply> send(Request request, PeerIdentity sender) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        door.handle(new TestCall(request, sender, answer::complete));
        return answer;
    }

    private Reply ask(Kind kind, com.google.protobuf.MessageLite body) throws Exception {
        return ask(kind, body, PeerIdentity.server(TestHello.mds(2)));
    }

    private Reply ask(Kind kind, com.google.protobuf.MessageLite body, PeerIdentity sender) throws Exception {
        RequestHeader header = RequestHeader.newBuilder().setKind(kind.number()).build();
        return send(new Request(kind, header, body, Payload.EMPTY), sender).get(20, TimeUnit.SECONDS);
    }

    private RemoteStore remote() {
        Transport transport = new Transport() {
            @Override
            public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                if (request.body() instanceof ReadStoreFileRequest part) {
                    read.add(part.getName());
                }
                return StoreMoveTest.this
                        .send(request, PeerIdentity.server(TestHello.mds(2)))
                        .thenApply(onTheWay);
            }

            @Override
            public void close() {}
        };
        ClusterMap map = ClusterMap.newBuilder()
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.MDS)
                        .setId(1)
                        .setHost("127.0.0.1")
                        .setPort(7001))
                .build();
        return new RemoteStore(transport, () -> map, 1, MOVE, PART_BYTES);
    }

    private StoreCopy copy(RemoteStore remote) throws IOException {
        Disk disk = new Disk() {
            @Override
            public long capacityBytes() {
                return 1L << 40;
            }

            @Override
            public long freeBytes() {
                return freeBytes;
            }

            @Override
            public String place() {
                return "/a/disk";
            }
        };
        return new StoreCopy(remote, arriving, new Space(disk, 1000, new SystemClock()), "metadata server 2");
    }

    private static Map<String, String> files(Path directory) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path each : all.toList()) {
                files.put(
                        each.getFileName().toString(),
                        new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private void requireSame() throws IOException {
        Map<String, String> there = files(store);
        there.keySet().removeIf(name -> name.startsWith("LO"));
        assertThat(files(arriving)).isEqualTo(there);
    }

    @Test
    void aPassCopiesWhatIsNew() throws Exception {
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        assertThat(copy.pass(remote.list(false), false)).isEqualTo(16 + 300 + 4 * PART_BYTES - 1);
        requireSame();

        read.clear();
        write("000010.sst", 77);
        write("MANIFEST-000004", 500);
        Files.delete(store.resolve("000008.sst"));
        assertThat(copy.pass(remote.list(true), true)).isEqualTo(16 + 500 + 77);
        assertThat(read).containsExactly("000010.sst", "CURRENT", "MANIFEST-000004");
        requireSame();
        assertThat(copy.copiedBytes()).isEqualTo(16 + 300 + 4 * PART_BYTES - 1 + 16 + 500 + 77);
    }

    /** The store of a host that was put back from a copy. */
    @Test
    void aTableFileThatIsAnotherOneIsCopiedAgain() throws Exception {
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        copy.pass(remote.list(false), false);
        write("000007.sst", 3 * PART_BYTES);
        Files.setLastModifiedTime(store.resolve("000007.sst"), java.nio.file.attribute.FileTime.fromMillis(5));
        copy.pass(remote.list(false), false);
        requireSame();
    }

    @Test
    void aPassGoesOnWhereAnEarlierOneFailed() throws Exception {
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        onTheWay = reply -> reply.body() instanceof ReadStoreFileReply && read.contains("000008.sst")
                ? Reply.refused(Kind.READ_STORE_FILE, FsError.CONNECTION_LOST, "the line broke")
                : reply;
        assertThatThrownBy(() -> copy.pass(remote.list(false), false))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("mds-1 answers READ_STORE_FILE")
                .hasMessageContaining("the line broke");
        onTheWay = reply -> reply;
        read.clear();
        copy.pass(remote.list(false), false);
        assertThat(read).doesNotContain("000007.sst").contains("000008.sst");
        requireSame();
    }

    @Test
    void aDamagedPartIsNoticed() throws Exception {
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        onTheWay = reply -> {
            if (reply.payload() instanceof Payload.Bytes bytes && bytes.length() > 0) {
                ByteBuf damaged = Unpooled.copiedBuffer(bytes.buffer());
                damaged.setByte(0, damaged.getByte(0) ^ 1);
                return new Reply(reply.error(), reply.header(), reply.body(), Payload.of(damaged));
            }
            return reply;
        };
        assertThatThrownBy(() -> copy.pass(remote.list(false), false))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("000007.sst at byte 0 does not match its checksum");
    }

    @Test
    void aFileThatIsShorterThanListedIsNoticed() throws Exception {
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        ListStoreFilesReply list = remote.list(false);
        write("000007.sst", PART_BYTES);
        assertThatThrownBy(() -> copy.pass(list, false))
                .hasMessageContaining("000007.sst at mds-1 is not as it was listed");
        Files.delete(store.resolve("000007.sst"));
        assertThatThrownBy(() -> copy.pass(list, false))
                .hasMessageContaining("mds-1 answers READ_STORE_FILE")
                .hasMessageContaining("000007.sst");
    }

    @Test
    void withoutRoomNothingIsCopied() throws Exception {
        freeBytes = 2000;
        RemoteStore remote = remote();
        StoreCopy copy = copy(remote);
        assertThatThrownBy(() -> copy.pass(remote.list(false), false))
                .isInstanceOf(NoSpaceException.class)
                .hasMessageContaining("/a/disk has 2000 bytes free");
        assertThat(files(arriving)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../shard-1/CURRENT", "..", ".", "", "a/b", "LOCK", "LOG", "/etc/passwd", "a\u0000b", ".hidden"})
    void aNameThatLeadsElsewhereIsRefusedOnBothSides(String name) throws Exception {
        Reply reply = ask(Kind.READ_STORE_FILE, part().setName(name).build());
        assertThat(reply.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(reply.header().getMessage()).contains("'" + name + "' is no name of a file of a store");
        ListStoreFilesReply list = ListStoreFilesReply.newBuilder()
                .addFiles(ListStoreFilesReply.File.newBuilder().setName("CURRENT"))
                .addFiles(ListStoreFilesReply.File.newBuilder().setName(name))
                .build();
        StoreCopy copy = copy(remote());
        assertThatThrownBy(() -> copy.pass(list, false)).isInstanceOf(IllegalArgumentException.class);
        assertThat(files(arriving)).isEmpty();
    }

    @Test
    void aLinkIsNoFileOfAStore() throws Exception {
        Files.createSymbolicLink(store.resolve("000011.sst"), store.resolve("CURRENT"));
        assertThat(StoreFiles.list(store)).extracting(StoreFiles.Listed::name).doesNotContain("000011.sst");
        assertThat(ask(Kind.READ_STORE_FILE, part().setName("000011.sst").build())
                        .error())
                .isEqualTo(FsError.IO_ERROR);
    }

    @Test
    void aListOfNoWholeStoreIsRefused() throws Exception {
        StoreCopy copy = copy(remote());
        assertThatThrownBy(() -> copy.pass(ListStoreFilesReply.getDefaultInstance(), true))
                .hasMessageContaining("it has no CURRENT");
        ListStoreFilesReply.File current =
                ListStoreFilesReply.File.newBuilder().setName("CURRENT").build();
        assertThatThrownBy(() -> copy.pass(
                        ListStoreFilesReply.newBuilder()
                                .addFiles(current)
                                .addFiles(current)
                                .build(),
                        true))
                .hasMessageContaining("CURRENT is listed twice");
        assertThatThrownBy(() -> copy.pass(
                        ListStoreFilesReply.newBuilder()
                                .addFiles(current.toBuilder().setLength(-1))
                                .build(),
                        true))
                .hasMessageContaining("18446744073709551615 bytes");
        Files.delete(store.resolve("CURRENT"));
        assertThat(ask(Kind.LIST_STORE_FILES, list().build()).header().getMessage())
                .contains("no whole store");
    }

    private static ListStoreFilesRequest.Builder list() {
        return ListStoreFilesRequest.newBuilder()
                .setShard(MOVE.shard())
                .setAsker(MOVE.asker())
                .setMove(MOVE.number());
    }

    private static ReadStoreFileRequest.Builder part() {
        return ReadStoreFileRequest.newBuilder()
                .setShard(MOVE.shard())
                .setAsker(MOVE.asker())
                .setMove(MOVE.number())
                .setName("000007.sst")
                .setLength(10);
    }

    @Test
    void impossibleNumbersAreRefused() throws Exception {
        List<Function<ListStoreFilesRequest.Builder, ListStoreFilesRequest.Builder>> wrong = List.of(
                request -> request.setShard(-1),
                request -> request.setShard(256),
                request -> request.setMove(-1),
                request -> request.setAsker(0),
                request -> request.setAsker(-2));
        for (var each : wrong) {
            assertThat(ask(Kind.LIST_STORE_FILES, each.apply(list()).build()).error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
        }
        assertThat(ask(Kind.READ_STORE_FILE, part().setLength(-1).build())
                        .header()
                        .getMessage())
                .contains("4294967295 bytes at offset 0 of file '000007.sst'");
        assertThat(ask(Kind.READ_STORE_FILE, part().setLength(0).build()).error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(ask(Kind.READ_STORE_FILE, part().setOffset(-1).build()).error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(ask(Kind.READ_STORE_FILE, part().setOffset(1L << 50).build())
                        .payload()
                        .length())
                .isZero();
        assertThat(ask(Kind.READ_STORE_FILE, part().setLength(Integer.MAX_VALUE).build())
                        .payload()
                        .length())
                .isEqualTo(PART_BYTES);
    }

    @Test
    void onlyTheServerToWhichTheShardMovesIsAnswered() throws Exception {
        assertThat(ask(Kind.LIST_STORE_FILES, list().build()).isOk()).isTrue();
        for (PeerIdentity sender : List.of(
                PeerIdentity.server(TestHello.mds(4)),
                PeerIdentity.server(TestHello.io(2)),
                PeerIdentity.client("eve"))) {
            assertThat(ask(Kind.LIST_STORE_FILES, list().build(), sender).error())
                    .isEqualTo(FsError.PERMISSION_DENIED);
            assertThat(ask(Kind.READ_STORE_FILE, part().build(), sender).error())
                    .isEqualTo(FsError.PERMISSION_DENIED);
        }
        assertThat(ask(Kind.LIST_STORE_FILES, list().setMove(6).build()).error())
                .isEqualTo(FsError.NOT_OWNER);
        assertThat(ask(Kind.READ_STORE_FILE, part().setShard(4).build()).error())
                .isEqualTo(FsError.NOT_OWNER);
    }

    @Test
    void allElseGoesOnToTheShards() throws Exception {
        assertThat(ask(Kind.STATUS, StatusRequest.getDefaultInstance()).isOk()).isTrue();
        assertThat(passedOn).hasSize(1);
    }
}
