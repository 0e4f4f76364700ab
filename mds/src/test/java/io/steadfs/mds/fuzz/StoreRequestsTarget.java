package io.steadfs.mds.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.steadfs.disk.FileStoreDisk;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.move.RemoteStore;
import io.steadfs.mds.move.StoreCopy;
import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.mds.move.StoreDoor;
import io.steadfs.mds.move.StoreFiles;
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
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Requests for the files of a store that moves, and lists of such files. A request is answered, never with FAULT, and with
 * nothing from outside of the store. A list changes nothing outside of the directory of the store that arrives.
 *
 * <pre>
 *  0      1
 * +------+------+
 * | what | body |
 * +------+------+
 * </pre>
 */
final class StoreRequestsTarget implements FuzzTarget {
    private static final int LIST = 0;
    private static final int READ = 1;

    private static final String SECRET = "what is outside of a store";

    private final Messages messages = new Messages(new Words(
            List.of(2L, 3L, 7L, 16L, 1L << 20),
            List.of("CURRENT", "000007.sst", "MANIFEST-000004", "../secret", "../shard-4/CURRENT", "LOCK", "..")));

    @Override
    public String name() {
        return "mds-store-requests";
    }

    @Override
    public int inputsOfATrial() {
        return 500;
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (2 << 20) + 1000L * inputBytes;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        int what = random.nextInt(3);
        MessageLite empty = switch (what) {
            case LIST -> Kind.LIST_STORE_FILES.emptyRequest();
            case READ -> Kind.READ_STORE_FILE.emptyRequest();
            default -> Kind.LIST_STORE_FILES.emptyReply();
        };
        byte[] body = messages.bytes(random, empty);
        byte[] input = new byte[1 + body.length];
        input[0] = (byte) what;
        System.arraycopy(body, 0, input, 1, body.length);
        return input;
    }

    @Override
    public Trial begin() throws IOException {
        return new Stores();
    }

    private static final class Stores implements Trial, StoreDoor.Stores {
        private final Path above = Files.createTempDirectory("stores");
        private final StoreDirectories stores = new StoreDirectories(above);
        private final StoreDoor door;
        private final StoreCopy copy;
        private final SortedMap<String, String> before;

        Stores() throws IOException {
            Path store = Files.createDirectory(stores.of(3));
            Files.writeString(store.resolve("CURRENT"), "MANIFEST-000004");
            Files.write(store.resolve("000007.sst"), new byte[3000]);
            Files.writeString(Files.createDirectory(stores.of(4)).resolve("CURRENT"), SECRET);
            Files.writeString(above.resolve("secret"), SECRET);
            Path arriving = stores.beginArriving(5);
            door = new StoreDoor(
                    call -> {
                        throw new AssertionError(call.request().kind() + " goes on to shards");
                    },
                    this,
                    1 << 20,
                    Runnable::run,
                    "mds-1");
            Transport silent = new Transport() {
                @Override
                public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                    return CompletableFuture.completedFuture(
                            Reply.refused(request.kind(), FsError.UNREACHABLE, "nobody is there"));
                }

                @Override
                public void close() {}
            };
            RemoteStore remote =
                    new RemoteStore(silent, ClusterMap::getDefaultInstance, 1, new StoreDoor.Move(5, 2, 7), 1 << 20);
            copy = new StoreCopy(
                    remote, arriving, new Space(new FileStoreDisk(above), 0, new SystemClock()), "metadata server 2");
            before = outside();
        }

        @Override
        public ListStoreFilesReply list(StoreDoor.Move move, boolean last) throws IOException {
            ListStoreFilesReply.Builder list = ListStoreFilesReply.newBuilder();
            StoreFiles.list(stores.of(3))
                    .forEach(file ->
                            list.addFiles(ListStoreFilesReply.File.newBuilder().setName(file.name())));
            return list.build();
        }

        @Override
        public Path directory(StoreDoor.Move move, boolean last) {
            return stores.of(3);
        }

        @Override
        public void feed(byte[] input) throws Exception {
            if (input.length == 0) {
                return;
            }
            byte[] body = Arrays.copyOfRange(input, 1, input.length);
            try {
                switch (Math.floorMod(input[0], 3)) {
                    case LIST -> ask(Kind.LIST_STORE_FILES, body);
                    case READ -> ask(Kind.READ_STORE_FILE, body);
                    default -> take(ListStoreFilesReply.parseFrom(body));
                }
            } catch (InvalidProtocolBufferException refused) {
                return;
            }
        }

        private void ask(Kind kind, byte[] body) throws Exception {
            CompletableFuture<Reply> answer = new CompletableFuture<>();
            MessageLite message = kind.requestParser().parseFrom(body);
            door.handle(new TestCall(
                    new Request(kind, RequestHeader.getDefaultInstance(), message, Payload.EMPTY),
                    PeerIdentity.server(TestHello.mds(2)),
                    answer::complete));
            Reply reply = answer.get(20, TimeUnit.SECONDS);
            if (reply.error() == FsError.FAULT) {
                throw new AssertionError(
                        kind + " is answered FAULT: " + reply.header().getMessage());
            }
            if (reply.payload() instanceof Payload.Bytes bytes
                    && bytes.buffer().toString(StandardCharsets.ISO_8859_1).contains(SECRET)) {
                throw new AssertionError(kind + " is answered with what is outside of the store");
            }
            reply.payload().release();
        }

        private void take(ListStoreFilesReply list) throws InterruptedException {
            try {
                copy.pass(list, true);
            } catch (IOException | IllegalArgumentException refused) {
                return;
            }
        }

        @Override
        public void check() throws Exception {
            if (!outside().equals(before)) {
                throw new AssertionError("what is outside of the arriving store has changed: " + outside());
            }
        }

        /** All files but those of the store that arrives. */
        private SortedMap<String, String> outside() throws IOException {
            SortedMap<String, String> files = new TreeMap<>();
            try (Stream<Path> all = Files.walk(above)) {
                for (Path each : all.filter(path -> !path.startsWith(stores.arriving(5)))
                        .filter(Files::isRegularFile)
                        .toList()) {
                    files.put(each.toString(), Files.readString(each, StandardCharsets.ISO_8859_1));
                }
            }
            return files;
        }

        @Override
        public void close() throws IOException {
            door.close();
            try (Stream<Path> all = Files.walk(above)) {
                for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
