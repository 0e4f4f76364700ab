package io.steadfs.ioserver;

import io.netty.buffer.Unpooled;
import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.datafile.Pieces;
import io.steadfs.ioserver.file.FaultyDataFiles;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;

/** An IO server in one thread, on a store in memory and files that may fail, with short ways to ask it. */
final class IoRig implements AutoCloseable {
    static final int SERVER = 3;
    static final Handle METAFILE = Handle.of(Handle.FIRST_SHARD_OWNER, 0, 77);

    private final Map<String, String> settings = new HashMap<>();
    /** Ceiling of the numbers given out; a restart goes on there, as membership does. */
    private PeerIdentity principal = TestHello.peerIdentity();

    private long reserved = 1;

    final ManualClock clock = new ManualClock();
    final MessageCounters messages = new MessageCounters();
    MemoryStore store = new MemoryStore(DatafileTables.ALL);
    FaultyDataFiles disk = new FaultyDataFiles();

    /** What the server has heard of the others. */
    Optional<ClusterMap> map = Optional.empty();

    /** Runs the reads. */
    Executor readers = Runnable::run;

    private Optional<IoCore> core = Optional.empty();

    IoRig(String... keysAndValues) throws IOException {
        settings.put(IoKeys.LANES.name(), "3");
        settings.put(Space.RESERVE.name(), "0");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            settings.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        start();
    }

    private IoRig(IoRig other) {
        settings.putAll(other.settings);
        reserved = other.reserved;
        store = other.store.copy();
        disk = other.disk.copy();
    }

    /** Another server, not started yet, on a copy of what this one stored. */
    IoRig copy() {
        return new IoRig(this);
    }

    void start() throws IOException {
        long first = reserved;
        reserved += 1 << 20;
        DatafileHandles.Block block = new DatafileHandles.Block(0, first, reserved);
        core = Optional.of(new IoCore(
                SERVER,
                store,
                disk,
                new Space(disk, Settings.of(settings).get(Space.RESERVE), clock),
                new DatafileHandles(SERVER, new DatafileHandles.Source() {
                    @Override
                    public DatafileHandles.Block current() {
                        return block;
                    }

                    @Override
                    public void used(long next) {}
                }),
                clock,
                read -> readers.execute(read),
                () -> map,
                messages,
                Settings.of(settings)));
    }

    /** Whose requests come from now on; a server's before. */
    void ask(PeerIdentity peerIdentity) {
        principal = peerIdentity;
    }

    void set(String key, String value) {
        settings.put(key, value);
    }

    IoCore core() {
        return core.orElseThrow();
    }

    /** The machine stops, and starts again with what the disk kept. */
    void crash(Random random) throws IOException {
        store = store.crash(random.nextInt(store.unsyncedCommits() + 1));
        disk = disk.crash(random);
        start();
    }

    /** The server stops in order, and starts again. */
    void restart() throws IOException {
        core().close();
        disk.failNoMore();
        store = store.reopen();
        start();
    }

    @Override
    public void close() {
        core.ifPresent(IoCore::close);
    }

    /** Begins a request. */
    Pending begin(Kind kind, com.google.protobuf.MessageLite body, byte[] payload) {
        Pending pending = new Pending(
                principal,
                new Request(
                        kind,
                        RequestHeader.newBuilder().setKind(kind.number()).build(),
                        body,
                        payload.length == 0 ? Payload.EMPTY : new Payload.Bytes(Unpooled.copiedBuffer(payload))));
        core().requests().handle(pending);
        return pending;
    }

    /** Does a request alone. */
    Reply ask(Kind kind, com.google.protobuf.MessageLite body, byte[] payload) {
        Pending pending = begin(kind, body, payload);
        core().lanes().runQueued();
        return pending.reply();
    }

    Reply ask(Kind kind, com.google.protobuf.MessageLite body) {
        return ask(kind, body, new byte[0]);
    }

    static WriteRequest.Builder write(Handle datafile, long offset, byte[] bytes, boolean sync) {
        WriteRequest.Builder request = WriteRequest.newBuilder()
                .setDatafile(datafile.value())
                .setMetafile(METAFILE.value())
                .setIndex(0)
                .setWriteGeneration(1)
                .setOffset(offset)
                .setSync(sync);
        for (int checksum : Pieces.checksums(Unpooled.wrappedBuffer(bytes), offset)) {
            request.addChecksums(checksum);
        }
        return request;
    }

    /** A first write that must succeed. */
    Handle make(byte[] bytes, boolean sync) {
        Reply reply = ask(Kind.WRITE, write(Handle.NONE, 0, bytes, sync).build(), bytes);
        return new Handle(written(reply).getDatafile());
    }

    WriteReply append(Handle datafile, long offset, byte[] bytes, boolean sync) {
        return written(ask(Kind.WRITE, write(datafile, offset, bytes, sync).build(), bytes));
    }

    static WriteReply written(Reply reply) {
        return (WriteReply) ok(reply).body();
    }

    static Reply ok(Reply reply) {
        if (!reply.isOk()) {
            throw new AssertionError(reply.error() + ": " + reply.header().getMessage());
        }
        return reply;
    }

    Reply read(Handle datafile, long offset, int length) {
        return ask(
                Kind.READ,
                ReadRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(METAFILE.value())
                        .setOffset(offset)
                        .setLength(length)
                        .build());
    }

    /** All bytes of the datafile, compared with their checksums as a client does. */
    byte[] content(Handle datafile) {
        byte[] all = new byte[0];
        while (true) {
            Reply reply = ok(read(datafile, all.length, ReadLimits.STEP));
            ReadReply body = (ReadReply) reply.body();
            if (!(reply.payload() instanceof Payload.Bytes payload)) {
                throw new AssertionError("payload is not in memory");
            }
            byte[] bytes = new byte[payload.buffer().readableBytes()];
            payload.buffer().getBytes(payload.buffer().readerIndex(), bytes);
            reply.payload().release();
            int[] expected = Pieces.checksums(Unpooled.wrappedBuffer(bytes), body.getOffset());
            List<Integer> stored = body.getChecksumsList();
            if (!Arrays.stream(expected).boxed().toList().equals(stored)) {
                throw new AssertionError("datafile " + datafile + " at " + body.getOffset() + ": checksums differ");
            }
            int skip = (int) (all.length - body.getOffset());
            if (bytes.length > 0) {
                int before = all.length;
                all = Arrays.copyOf(all, before + bytes.length - skip);
                System.arraycopy(bytes, skip, all, before, bytes.length - skip);
            }
            if (all.length >= body.getDatafileLength()) {
                return all;
            }
        }
    }

    DatafileState stat(Handle datafile) {
        return ((StatDatafilesReply) ok(ask(
                                Kind.STAT_DATAFILES,
                                StatDatafilesRequest.newBuilder()
                                        .addDatafiles(datafile.value())
                                        .build()))
                        .body())
                .getDatafiles(0);
    }

    DatafileState seal(Handle datafile, long generation) {
        return ((SealReply) ok(ask(
                                Kind.SEAL,
                                SealRequest.newBuilder()
                                        .setMetafile(METAFILE.value())
                                        .addDatafiles(datafile.value())
                                        .setWriteGeneration(generation)
                                        .build()))
                        .body())
                .getDatafiles(0);
    }

    DatafileState sync(Handle datafile, long generation) {
        return ((SyncReply) ok(ask(
                                Kind.SYNC,
                                SyncRequest.newBuilder()
                                        .addDatafiles(datafile.value())
                                        .setWriteGeneration(generation)
                                        .build()))
                        .body())
                .getDatafiles(0);
    }

    Reply truncate(Handle datafile, long generation, long length) {
        return ask(
                Kind.TRUNCATE,
                TruncateRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(METAFILE.value())
                        .setWriteGeneration(generation)
                        .setLength(length)
                        .build());
    }

    int remove(Handle... datafiles) {
        return ((RemoveReply) ok(removal(this, datafiles)).body()).getRemoved();
    }

    static Reply removal(IoRig rig, Handle... datafiles) {
        RemoveRequest.Builder request = RemoveRequest.newBuilder();
        for (Handle datafile : datafiles) {
            request.addDatafiles(datafile.value()).addMetafiles(METAFILE.value());
        }
        return rig.ask(Kind.REMOVE, request.build());
    }

    static FsError errorOf(DatafileState state) {
        return FsError.byCode(state.getError()).orElseThrow();
    }

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Step of reading a whole datafile. */
    static final class ReadLimits {
        static final int STEP = 300_000;
    }

    /** A call whose reply is looked at later. */
    static final class Pending implements RequestHandler.Call {
        private final PeerIdentity peerIdentity;
        private final Request request;
        private Optional<Reply> reply = Optional.empty();
        private boolean cancelled;

        Pending(PeerIdentity peerIdentity, Request request) {
            this.peerIdentity = peerIdentity;
            this.request = request;
        }

        void cancel() {
            cancelled = true;
        }

        boolean isAnswered() {
            return reply.isPresent();
        }

        Reply reply() {
            return reply.orElseThrow(() -> new AssertionError(request.kind() + " was not answered"));
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public String peer() {
            return "test";
        }

        @Override
        public PeerIdentity peerIdentity() {
            return peerIdentity;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public void reply(Reply answer) {
            if (reply.isPresent()) {
                throw new AssertionError(request.kind() + " is answered twice: " + reply.get() + ", " + answer);
            }
            reply = Optional.of(answer);
        }
    }

    /** Stands still until told. */
    static final class ManualClock implements Clock {
        long millis = 1_700_000_000_000L;

        /** How far somebody set the wall clock. */
        long setMillis;

        @Override
        public long monotonicNanos() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis + setMillis;
        }
    }
}
