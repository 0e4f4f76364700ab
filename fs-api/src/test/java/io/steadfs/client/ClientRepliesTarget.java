package io.steadfs.client;

import com.google.protobuf.MessageLite;
import io.steadfs.client.call.Futures;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Listing;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.GetXattrsReply;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.RecoverLeaseReply;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.TruncateFileReply;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * A client's operations, on servers whose replies make no sense. Each ends, in simulated time, with a value or an {@link
 * FsException}.
 *
 * <pre>
 *  0            1      3        11
 * +------------+------+--------+
 * | operation  | mask | seed   |
 * +------------+------+--------+
 * </pre>
 *
 * Operation modulo their number; its highest bit: cluster maps and sessions are spoiled too. Mask and seed as in {@link
 * SpoiledReplies}.
 */
final class ClientRepliesTarget implements FuzzTarget {
    private static final int INPUT_BYTES = 11;
    private static final int STRIP = 1024;
    private static final int FILE_BYTES = STRIP + 500;
    private static final long MOST_MILLIS = 1_000_000;
    private static final int MOST_PAGES = 20;
    private static final byte[] CONTENT = SimulatedCluster.bytes(1, FILE_BYTES);
    private static final FsPath FILE = path("f");
    private static final FsPath OTHER = path("g");
    private static final Handle METAFILE = Handle.of(Handle.FIRST_SHARD_OWNER, 0, 2);

    /** Its file was written once; the servers of each input have a copy. */
    private final SimulatedCluster written = written();

    private final Messages messages = new Messages(new Words(
            List.of(
                    METAFILE.value(),
                    METAFILE.value(),
                    Handle.ROOT.value(),
                    Handle.of(1, 0, 1).value(),
                    Handle.of(2, 0, 1).value(),
                    1L,
                    1L,
                    2L,
                    (long) STRIP,
                    (long) FILE_BYTES,
                    500L),
            List.of("f", "g", "user.a", "ann", "mds", "io1")));

    private static SimulatedCluster written() {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        try {
            cluster.file("f", 2, STRIP, CONTENT);
        } catch (FsException e) {
            throw new AssertionError(e);
        }
        return cluster;
    }

    private static FsPath path(String text) {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String name() {
        return "client-replies";
    }

    /** Servers, network and client of each input, and what they do for some simulated seconds. */
    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return 64 << 20;
    }

    @Override
    public int inputsOfATrial() {
        return 1000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        byte[] input = new byte[INPUT_BYTES];
        random.nextBytes(input);
        if (random.nextInt(8) != 0) {
            input[0] &= 0x7f;
        }
        if (random.nextBoolean()) {
            // One reply of the first ones.
            int bit = 1 << random.nextInt(8);
            input[1] = 0;
            input[2] = (byte) bit;
        }
        return input;
    }

    @Override
    public Trial begin() {
        return input -> {
            ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(input, INPUT_BYTES));
            int operation = in.get();
            int mask = in.getShort();
            new Client(mask, operation < 0, in.getLong()).run(operation & 0x7f);
        };
    }

    /** One client, its servers, and a file. */
    private final class Client {
        private final SimulatedCluster cluster;
        private final AsyncSteadFs fs;

        Client(int mask, boolean alsoMaps, long seed) {
            boolean basecase = (seed & 1) != 0;
            cluster = new SimulatedCluster(1, 2, Faults.NONE, 0, Map.of());
            cluster.shard.copyFiles(written.shard);
            guard(SimulatedCluster.SHARD, cluster.shard);
            for (int id = 1; id <= cluster.io.size(); id++) {
                cluster.io.get(id - 1).copyDatafiles(written.io.get(id - 1));
                guard(SimulatedCluster.ioAddress(id), cluster.io.get(id - 1));
            }
            fs = new AsyncSteadFs(
                    new SpoiledReplies(
                            cluster.network.client("fuzz"),
                            messages,
                            new SplittableRandom(seed),
                            this::good,
                            mask,
                            alsoMaps),
                    cluster.time,
                    cluster.time,
                    new Random(seed),
                    Settings.of(Map.of(
                            "stead.client.operation.timeout",
                            "2000",
                            "stead.client.attempt.timeout",
                            "500",
                            "stead.create.protocol",
                            basecase ? "basecase" : "unified")),
                    List.of(SimulatedCluster.SHARD),
                    Caller.newBuilder().setUser("ann").build());
        }

        /** The servers in memory are no servers of ours: what they cannot do they refuse. */
        private void guard(ServerAddress address, RequestHandler server) {
            cluster.network.crash(address);
            cluster.network.start(address, call -> {
                try {
                    server.handle(call);
                } catch (RuntimeException e) {
                    call.reply(Reply.refused(call.request().kind(), FsError.INVALID_ARGUMENT, e.toString()));
                }
            });
        }

        /** What the servers in memory do not answer. */
        private MessageLite good(Request request) {
            Attributes file = cluster.shard.attributes("f").build();
            Attributes directory = Attributes.newBuilder()
                    .setHandle(Handle.ROOT.value())
                    .setType(FileType.DIRECTORY)
                    .build();
            return switch (request.kind()) {
                case MKDIRS -> MkdirsReply.newBuilder().setAttributes(directory).build();
                case SET_ATTRIBUTES ->
                    SetAttributesReply.newBuilder().setAttributes(file).build();
                case TRUNCATE_FILE ->
                    TruncateFileReply.newBuilder()
                            .setAttributes(file.toBuilder().setRecovering(true))
                            .build();
                case LIST_TREE -> {
                    ListTreeReply.Builder page = ListTreeReply.newBuilder();
                    page.addEntriesBuilder().setName("f").setAttributes(file);
                    page.addEntriesBuilder().setName("d").setAttributes(directory);
                    yield page.build();
                }
                case RENAME -> RenameReply.newBuilder().setMoved(true).build();
                case RECOVER_LEASE ->
                    RecoverLeaseReply.newBuilder().setClosed(true).build();
                case GET_XATTRS ->
                    GetXattrsReply.newBuilder()
                            .putXattrs("user.a", com.google.protobuf.ByteString.copyFromUtf8("b"))
                            .build();
                case SEAL -> {
                    SealReply.Builder states = SealReply.newBuilder();
                    for (long datafile : ((SealRequest) request.body()).getDatafilesList()) {
                        states.addDatafiles(DatafileState.newBuilder()
                                .setDatafile(datafile)
                                .setLength(new Handle(datafile).owner() == 1 ? STRIP : FILE_BYTES - STRIP));
                    }
                    yield states.build();
                }
                default -> request.kind().emptyReply();
            };
        }

        void run(int operation) {
            switch (operation % 16) {
                case 0 -> done(fs.attributes().stat(FILE));
                case 1, 2 ->
                    done(fs.writes().create(OTHER, CreateOptions.DEFAULT.withLayout(2, STRIP)))
                            .ifPresent(this::write);
                case 3, 4 -> done(fs.writes().append(FILE)).ifPresent(this::write);
                case 5, 6 -> done(fs.reads().open(FILE)).ifPresent(this::read);
                case 7 -> done(fs.writes().truncate(FILE, 10));
                case 8 -> done(fs.names().mkdirs(OTHER, 0755, true, false));
                case 9 -> pages(fs.lists().list(FILE));
                case 10 -> pages(fs.lists().listTree(FILE, operation % 32 == 10));
                case 11 -> {
                    done(fs.names().rename(FILE, OTHER, RenameMode.OVERWRITE));
                    done(fs.names().delete(FILE, true));
                }
                case 12 -> done(fs.attributes().setAttributes(FILE, AttributeChange.mode(0700)));
                case 13 -> {
                    done(fs.attributes().getXattrs(FILE, List.of()));
                    done(fs.attributes().setXattr(FILE, "user.a", new byte[1], false, false));
                    done(fs.attributes().removeXattr(FILE, "user.a"));
                }
                case 14 -> done(fs.lists().contentSummary(FILE));
                default -> {
                    done(fs.writes().recoverLease(FILE));
                    done(fs.attributes().isFileClosed(FILE));
                    done(fs.clusterMap());
                }
            }
            done(fs.close());
        }

        private void write(StripedWriter writer) {
            try {
                int taken = 0;
                while (taken < FILE_BYTES) {
                    taken += writer.append(CONTENT, taken, FILE_BYTES - taken);
                    done(writer.room());
                }
                done(writer.hflush());
                done(writer.hsync());
                writer.append(CONTENT, 0, 100);
            } catch (FsException refused) {
                // As its contract says.
            }
            done(writer.close());
        }

        private void read(StripedReader reader) {
            ByteBuffer target = ByteBuffer.allocate(FILE_BYTES);
            done(reader.read(0, target));
            done(reader.read(Math.max(0, reader.length() - 100), ByteBuffer.allocate(200)));
            done(reader.compositeCrc());
        }

        private void pages(Listing listing) {
            for (int page = 0; page < MOST_PAGES && !listing.isOver(); page++) {
                if (done(listing.next()).isEmpty()) {
                    return;
                }
            }
        }

        /** The value, or empty after a refusal. */
        private <T> Optional<T> done(CompletableFuture<T> operation) {
            cluster.time.runUntil("an operation's end", operation::isDone, MOST_MILLIS);
            return operation
                    .handle((value, failure) -> {
                        if (failure != null && !(Futures.unwrap(failure) instanceof FsException)) {
                            throw new AssertionError("an operation fails with " + Futures.unwrap(failure), failure);
                        }
                        return Optional.ofNullable(value);
                    })
                    .join();
        }
    }
}
