package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.Unpooled;
import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.hello.Welcome;
import io.steadfs.ioserver.datafile.Pieces;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.store.mark.MemoryMark;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server over TCP, on RocksDB and real files. */
final class IoServerTest {
    private static final int SERVER = 5;
    private static final long TIMEOUT_MILLIS = 20_000;

    private final Path directory;

    private final Settings settings = Settings.of(
            Map.of(Space.RESERVE.name(), "1m", "stead.io.space.interval", "100", "stead.metrics.port", "0"));
    private final EventLoops loops = EventLoops.open("test", settings);
    private final NettyTransport transport = new NettyTransport(
            loops, NettyOptions.from(settings), new MessageCounters(), new SystemClock(), TestHello.server());
    private final Alone neighbours = new Alone();
    private Optional<IoServer> server = Optional.empty();

    /** Of a server that has no others: numbers from memory. */
    private static final class Alone implements Neighbours {
        @Override
        public Welcome welcome() {
            return TestHello.welcome(TestHello.io(SERVER));
        }

        @Override
        public String superuser() {
            return "root";
        }

        @Override
        public CompletableFuture<Integer> confirmShards() {
            return CompletableFuture.failedFuture(new IOException("nobody ends leases here"));
        }

        @Override
        public List<String> problems() {
            return List.of();
        }

        private long first = 1;
        private Optional<ServerAddress> announced = Optional.empty();
        private final CompletableFuture<Long> reported = new CompletableFuture<>();

        void newProcess() {
            first += 1 << 20;
            announced = Optional.empty();
        }

        @Override
        public MarkPlace marks() {
            return new MemoryMark();
        }

        @Override
        public AcceptedLoss acceptedLoss() {
            return AcceptedLoss.NONE;
        }

        @Override
        public DatafileHandles.Source numbers() {
            DatafileHandles.Block block = new DatafileHandles.Block(0, first, first + (1 << 20));
            return new DatafileHandles.Source() {
                @Override
                public DatafileHandles.Block current() {
                    return block;
                }

                @Override
                public void used(long next) {}
            };
        }

        @Override
        public Optional<ClusterMap> map() {
            return Optional.of(ClusterMap.newBuilder().setEpoch(42).build());
        }

        @Override
        public void announce(ServerAddress address, long capacityBytes, long usableBytes) {
            assertThat(usableBytes).isPositive().isLessThan(capacityBytes);
            announced = Optional.of(address);
        }

        @Override
        public void reportSpace(long capacityBytes, long usableBytes, long storedBytes) {
            reported.complete(usableBytes);
        }

        @Override
        public void close() {
            announced = Optional.empty();
        }
    }

    IoServerTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void start() throws IOException {
        neighbours.newProcess();
        server = Optional.of(new IoServer(SERVER, directory, "127.0.0.1", 0, "localhost", neighbours, loops, settings));
    }

    @AfterEach
    void stop() {
        server.ifPresent(IoServer::close);
        transport.close();
        loops.close();
    }

    private void restart() throws IOException {
        server.orElseThrow().close();
        assertThat(neighbours.announced).isEmpty();
        start();
    }

    private CompletableFuture<Reply> send(Kind kind, MessageLite body, byte[] payload) {
        return transport.send(
                new ServerAddress("127.0.0.1", server.orElseThrow().address().port()),
                new Request(
                        kind,
                        RequestHeader.newBuilder().setKind(kind.number()).build(),
                        body,
                        payload.length == 0 ? Payload.EMPTY : new Payload.Bytes(Unpooled.wrappedBuffer(payload))),
                TIMEOUT_MILLIS);
    }

    private Reply ask(Kind kind, MessageLite body, byte[] payload) throws Exception {
        return send(kind, body, payload).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Reply read(Handle datafile, long offset, int length) throws Exception {
        return ask(
                Kind.READ,
                ReadRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(IoRig.METAFILE.value())
                        .setOffset(offset)
                        .setLength(length)
                        .build(),
                new byte[0]);
    }

    private byte[] content(Handle datafile, int length) throws Exception {
        Reply reply = IoRig.ok(read(datafile, 0, length));
        ReadReply body = (ReadReply) reply.body();
        assertThat(body.getDatafileLength()).isEqualTo(length);
        byte[] bytes = new byte[(int) reply.payload().length()];
        ((Payload.Bytes) reply.payload()).buffer().readBytes(bytes);
        reply.payload().release();
        int[] expected = Pieces.checksums(Unpooled.wrappedBuffer(bytes), 0);
        assertThat(body.getChecksumsList())
                .as("checksums of datafile %s", datafile)
                .isEqualTo(Arrays.stream(expected).boxed().toList());
        return bytes;
    }

    private Handle make(int index, byte[] bytes, boolean sync) throws Exception {
        Reply reply = ask(
                Kind.WRITE,
                IoRig.write(Handle.NONE, 0, bytes, sync).setIndex(index).build(),
                bytes);
        return new Handle(IoRig.written(reply).getDatafile());
    }

    private Path file(Handle datafile) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            return files.filter(path -> path.endsWith(datafile.toString()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void dataIsThereAgainAfterARestart() throws Exception {
        byte[] small = IoRig.bytes(1, 4096);
        byte[] large = IoRig.bytes(2, 3_500_000);
        Handle first = make(0, small, true);
        Handle second = make(1, large, false);
        assertThat(first.owner()).isEqualTo(SERVER);
        assertThat(neighbours.announced)
                .contains(new ServerAddress(
                        "localhost", server.orElseThrow().address().port()));
        for (int round = 0; round < 2; round++) {
            assertThat(content(first, small.length)).isEqualTo(small);
            assertThat(content(second, large.length)).isEqualTo(large);
            restart();
        }
        Handle third = make(2, small, true);
        assertThat(third).isNotIn(first, second);
        RemoveReply removed = (RemoveReply) IoRig.ok(ask(
                        Kind.REMOVE,
                        RemoveRequest.newBuilder()
                                .addDatafiles(first.value())
                                .addDatafiles(second.value())
                                .addDatafiles(first.value())
                                .addAllMetafiles(Collections.nCopies(3, IoRig.METAFILE.value()))
                                .build(),
                        new byte[0]))
                .body();
        assertThat(removed.getRemoved()).isEqualTo(2);
        assertThat(read(second, 0, 1).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
        restart();
        assertThat(read(first, 0, 1).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
        assertThatThrownBy(() -> file(second)).hasMessageContaining("No value present");
    }

    @Test
    void aFlippedBitOnTheDiskIsSeenByTheReader() throws Exception {
        byte[] bytes = IoRig.bytes(2, 1 << 20);
        Handle datafile = make(0, bytes, true);
        server.orElseThrow().close();
        Path path = file(datafile);
        assertThat(Files.size(path)).isEqualTo(bytes.length);
        bytes[700_000] ^= 1;
        Files.write(path, bytes);
        start();
        assertThatThrownBy(() -> content(datafile, bytes.length)).isInstanceOf(AssertionError.class);

        try (FileChannel cut = FileChannel.open(path, StandardOpenOption.WRITE)) {
            cut.truncate(500_000);
        }
        Reply reply = read(datafile, 400_000, 200_000);
        assertThat(reply.error()).isEqualTo(FsError.CORRUPT);
        assertThat(reply.header().getMessage()).contains(datafile.toString(), path.toString(), "offset 400000");
    }

    @Test
    void aFlippedBitInTheStoreIsAnsweredAsDamage() throws Exception {
        byte[] bytes = IoRig.bytes(2, 40_000);
        byte[] others = IoRig.bytes(3, 40_000);
        Handle datafile = make(0, bytes, true);
        Handle other = make(1, others, true);
        // The second start writes what the first one logged into tables.
        restart();
        server.orElseThrow().close();
        flipInStore(Arrays.copyOfRange(bytes, 20_000, 20_032));
        start();

        Reply reply = read(datafile, 100, 200);
        assertThat(reply.error()).isEqualTo(FsError.CORRUPT);
        assertThat(reply.header().getMessage())
                .contains(
                        datafile.toString(),
                        directory.resolve("store").toString(),
                        "offset 100",
                        "IO server " + SERVER);
        WriteRequest more = IoRig.write(datafile, bytes.length, others, true).build();
        assertThat(ask(Kind.WRITE, more, others).error()).isEqualTo(FsError.CORRUPT);
        assertThat(content(other, others.length)).isEqualTo(others);
    }

    private void flipInStore(byte[] near) throws IOException {
        String wanted = new String(near, StandardCharsets.ISO_8859_1);
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            for (Path path :
                    files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                byte[] table = Files.readAllBytes(path);
                int at = new String(table, StandardCharsets.ISO_8859_1).indexOf(wanted);
                if (at >= 0) {
                    table[at] ^= 1;
                    Files.write(path, table);
                    return;
                }
            }
        }
        throw new AssertionError("the bytes are in no table of the store");
    }

    @Test
    void corruptBytesOnTheWireAreNotStored() throws Exception {
        byte[] bytes = IoRig.bytes(1, 200_000);
        WriteRequest request = IoRig.write(Handle.NONE, 0, bytes, true).build();
        byte[] flipped = bytes.clone();
        flipped[150_000] ^= 32;
        Reply refused = ask(Kind.WRITE, request, flipped);
        assertThat(refused.error()).isEqualTo(FsError.CORRUPT);
        assertThat(refused.header().getMessage()).contains("piece 2");
        assertThat(refused.header().getEpoch()).isEqualTo(42);
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        IoRig.ok(ask(Kind.WRITE, request, bytes));
    }

    @Test
    void manyWritersAndReadersAtOnce() throws Exception {
        int columns = 40;
        byte[][] bytes = new byte[columns][];
        List<CompletableFuture<Reply>> writes = new ArrayList<>();
        for (int index = 0; index < columns; index++) {
            bytes[index] = IoRig.bytes(index, 1000 * (index + 1) * (index % 7 + 1));
            writes.add(send(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, bytes[index], index % 2 == 0)
                            .setIndex(index)
                            .build(),
                    bytes[index]));
        }
        List<Handle> datafiles = new ArrayList<>();
        for (CompletableFuture<Reply> write : writes) {
            datafiles.add(new Handle(IoRig.written(write.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                    .getDatafile()));
        }
        assertThat(datafiles).doesNotHaveDuplicates();
        SyncRequest.Builder sync = SyncRequest.newBuilder().setWriteGeneration(1);
        datafiles.forEach(datafile -> sync.addDatafiles(datafile.value()));
        SyncReply synced =
                (SyncReply) IoRig.ok(ask(Kind.SYNC, sync.build(), new byte[0])).body();
        for (int index = 0; index < columns; index++) {
            assertThat(synced.getDatafiles(index).getDatafile())
                    .isEqualTo(datafiles.get(index).value());
            assertThat(synced.getDatafiles(index).getSyncedLength()).isEqualTo(bytes[index].length);
            assertThat(content(datafiles.get(index), bytes[index].length)).isEqualTo(bytes[index]);
        }
        StatusReply status = (StatusReply) IoRig.ok(ask(Kind.STATUS, StatusRequest.getDefaultInstance(), new byte[0]))
                .body();
        assertThat(status.getProblemsList()).isEmpty();
        assertThat(status.getCountersMap())
                .containsEntry("messages.in.WRITE", (long) columns)
                .containsEntry("messages.in.SYNC", 1L)
                .containsEntry("bytes.in", (long)
                        Arrays.stream(bytes).mapToInt(each -> each.length).sum())
                .hasEntrySatisfying("fsyncs.file", count -> assertThat(count).isPositive());
        assertThat(status.getGaugesMap()).containsKeys("space.free.bytes", "queue.length", "files.open");
        assertThat(neighbours.reported.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                .isPositive();
    }

    /** From memory into a file and on, synced and not: a reader always sees bytes that match their checksums. */
    @Test
    void readsBesideAnAppenderAreConsistent() throws Exception {
        byte[] bytes = IoRig.bytes(8, 600_000);
        Handle datafile = make(0, Arrays.copyOf(bytes, 10), true);
        for (int length = 10; length < bytes.length; ) {
            int step = Math.min(1_733, bytes.length - length);
            byte[] more = Arrays.copyOfRange(bytes, length, length + step);
            WriteRequest request =
                    IoRig.write(datafile, length, more, length % 5 == 0).build();
            CompletableFuture<Reply> write = send(Kind.WRITE, request, more);
            Reply reply = IoRig.ok(read(datafile, 0, bytes.length));
            IoRig.ok(write.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
            byte[] seen = new byte[(int) reply.payload().length()];
            ((Payload.Bytes) reply.payload()).buffer().readBytes(seen);
            reply.payload().release();
            assertThat(seen.length).isIn(length, length + step);
            int[] expected = Pieces.checksums(Unpooled.wrappedBuffer(seen), 0);
            assertThat(((ReadReply) reply.body()).getChecksumsList())
                    .isEqualTo(Arrays.stream(expected).boxed().toList());
            assertThat(Arrays.mismatch(seen, 0, seen.length, bytes, 0, seen.length))
                    .isEqualTo(-1);
            length += step;
        }
    }

    @Test
    void aPortInUseLeavesNothingOpen() throws Exception {
        int taken = server.orElseThrow().address().port();
        Path other = directory.resolve("other");
        assertThatThrownBy(() -> new IoServer(6, other, "127.0.0.1", taken, "localhost", new Alone(), loops, settings))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(taken));
        new IoServer(6, other, "127.0.0.1", 0, "localhost", new Alone(), loops, settings).close();
    }
}
