package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.cluster.HomeShard;
import io.steadfs.cluster.SessionName;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.Introduction;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.ChecksumRequest;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.ReadRequest;
import io.steadfs.wire.proto.RemoveRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.TruncateRequest;
import io.steadfs.wire.proto.WriteRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Well formed requests that make no sense, sent past the client. Each is refused by name, and a file written before
 * reads back after each.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class BadRequestTest {
    private static final byte[] CONTENT = new byte[100_000];
    private static final int SHARDS = 3;
    private static final long SESSION = sessionOfShardZero(0x5e55);
    private static final long STRANGE_SESSION = sessionOfShardZero(SESSION + 1);
    private static final long STRANGE_GUEST = LongStream.iterate(SESSION + 1, id -> id + 1)
            .filter(id -> HomeShard.of(id, SHARDS) != 0)
            .findFirst()
            .orElseThrow();

    private final AnswerTable table = new AnswerTable("requests", "Requests past the client's checks");
    private final Cluster cluster;
    private final SteadFs fs;
    private final Wire wire = new Wire();
    private final ServerAddress mds;
    private final ServerAddress io;
    private final FileInfo file;
    private final long datafile;

    BadRequestTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, SHARDS, SHARDS, 1, Map.of());
        mds = cluster.port("mds-1");
        io = cluster.port("io-1");
        fs = cluster.connect(Cluster.SUPERUSER, List.of());
        try (FileWriter writer = fs.create(path("/good"), CreateOptions.DEFAULT.withLayout(1, 1 << 20))) {
            writer.write(CONTENT, 0, CONTENT.length);
        }
        try (FileReader reader = fs.open(path("/good"))) {
            file = reader.info();
            datafile = file.layout().orElseThrow().datafiles().get(0).value();
        }
        assertThat(wire.openSession(mds, SESSION).error()).isEqualTo(FsError.OK);
    }

    @AfterAll
    void stop() throws IOException {
        table.write();
        fs.close();
        wire.close();
        cluster.close();
    }

    /** A session that lives on shard 0, which the first metadata server hosts. */
    private static long sessionOfShardZero(long from) {
        return LongStream.iterate(from, id -> id + 1)
                .filter(id -> HomeShard.of(id, SHARDS) == 0)
                .findFirst()
                .orElseThrow();
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    private static Location at(String path) {
        return Location.newBuilder().setPath(path).build();
    }

    private static Location under(long start) {
        return Location.newBuilder().setStart(start).setPath("x").build();
    }

    private static MkdirsRequest mkdirs(Location location) {
        return MkdirsRequest.newBuilder().setLocation(location).setMode(0755).build();
    }

    private void refused(String input, Reply reply, FsError error, String... words) throws IOException {
        String message = reply.header().getMessage();
        table.add(input, reply.error() + ": " + message);
        assertThat(reply.error()).as(input + ": " + message).isEqualTo(error);
        assertThat(message)
                .as(input)
                .contains(words)
                .doesNotContain(
                        Long.toHexString(SESSION), Long.toHexString(STRANGE_SESSION), Long.toHexString(STRANGE_GUEST));
        ByteBuffer bytes = ByteBuffer.allocate(CONTENT.length);
        try (FileReader reader = fs.open(path("/good"))) {
            assertThat(reader.read(0, bytes)).as("/good after " + input).isEqualTo(CONTENT.length);
        }
    }

    private Reply change(Kind kind, MessageLite body) {
        return wire.change(mds, SESSION, kind, body);
    }

    @Test
    void sessionsAndRequestIds() throws IOException {
        MkdirsRequest body = mkdirs(at("x"));
        refused("MKDIRS without a session", wire.ask(mds, Kind.MKDIRS, body), FsError.INVALID_ARGUMENT, "session");
        refused(
                "MKDIRS in a session of this shard, which nobody opened",
                wire.change(mds, STRANGE_SESSION, Kind.MKDIRS, body),
                FsError.SESSION_EXPIRED,
                SessionName.of(STRANGE_SESSION));
        refused(
                "MKDIRS in a session of another shard, which nobody opened",
                wire.change(mds, STRANGE_GUEST, Kind.MKDIRS, body),
                FsError.SESSION_EXPIRED,
                SessionName.of(STRANGE_GUEST));
        refused(
                "MKDIRS with request id 0",
                wire.ask(mds, Kind.MKDIRS, header -> header.setSession(SESSION), body, new byte[0]),
                FsError.INVALID_ARGUMENT,
                "request id");
        refused(
                "MKDIRS without a user",
                wire.ask(
                        mds,
                        Kind.MKDIRS,
                        header -> header.setSession(SESSION).setRequestId(9999).clearCaller(),
                        body,
                        new byte[0]),
                FsError.PERMISSION_DENIED,
                "user");
        refused(
                "OPEN_SESSION 0",
                wire.ask(mds, Kind.OPEN_SESSION, OpenSessionRequest.getDefaultInstance()),
                FsError.INVALID_ARGUMENT,
                "session 0");
    }

    @Test
    void kindsOfTheOtherServer() throws IOException {
        refused("READ to a metadata server", ask(mds, Kind.READ, read(datafile, 0, 1)), FsError.NOT_SUPPORTED, "READ");
        refused("STAT to an IO server", ask(io, Kind.STAT, stat("good")), FsError.NOT_SUPPORTED, "STAT");
        refused("MKDIRS to an IO server", ask(io, Kind.MKDIRS, mkdirs(at("x"))), FsError.NOT_SUPPORTED, "MKDIRS");
    }

    private Reply ask(ServerAddress server, Kind kind, MessageLite body) {
        return wire.ask(server, kind, body);
    }

    private static StatRequest stat(String path) {
        return StatRequest.newBuilder().setLocation(at(path)).build();
    }

    @Test
    void names() throws IOException {
        String ascii255 = "a".repeat(255);
        String umlauts = "\u00e4".repeat(127) + "a";
        assertThat(change(Kind.MKDIRS, mkdirs(at(ascii255))).error()).isEqualTo(FsError.OK);
        assertThat(change(Kind.MKDIRS, mkdirs(at(umlauts))).error()).isEqualTo(FsError.OK);
        refused("name of 256 bytes, ASCII", mkdir(ascii255 + "a"), FsError.NAME_TOO_LONG, "256 bytes");
        refused("name of 256 bytes, 128 letters", mkdir("\u00e4".repeat(128)), FsError.NAME_TOO_LONG, "256 bytes");
        refused("name '..'", mkdir("a/../b"), FsError.INVALID_ARGUMENT, "'..'");
        refused("name '.'", mkdir("./b"), FsError.INVALID_ARGUMENT, "'.'");
        refused("empty name", mkdir("a//b"), FsError.INVALID_ARGUMENT, "empty component");
        refused("NUL in a name", mkdir("a\0b"), FsError.INVALID_ARGUMENT, "NUL");
        refused("1,001 names", mkdir("d/".repeat(1000) + "d"), FsError.NAME_TOO_LONG, "1000 components");
        refused("path of 1 MiB", mkdir("d/".repeat(1 << 19)), FsError.NAME_TOO_LONG, "1000 components");
        // Field 1, a location, whose field 2, the path, is half of a surrogate pair.
        byte[] body = {10, 5, 18, 3, (byte) 0xed, (byte) 0xa0, (byte) 0x80};
        ReplyHeader halfPair = exchange(Frames.request(Kind.STAT, 7, body));
        table.add(
                "half a surrogate pair in a path",
                FsError.byCode(halfPair.getError()).orElseThrow() + ": " + halfPair.getMessage());
        assertThat(FsError.byCode(halfPair.getError())).contains(FsError.BAD_MESSAGE);
        assertThat(halfPair.getMessage()).contains("STAT");
    }

    private ReplyHeader exchange(byte[] frame) throws IOException {
        try (Socket socket = Frames.connect(mds, Introduction.client())) {
            socket.getOutputStream().write(frame);
            return Frames.readReply(new DataInputStream(socket.getInputStream()));
        }
    }

    private Reply mkdir(String path) {
        return change(Kind.MKDIRS, mkdirs(at(path)));
    }

    @Test
    void handlesOfNobody() throws IOException {
        long absent = Handle.of(0x8000, 0, 1L << 30).value();
        long otherShard = Handle.of(0x8001, 0, 5).value();
        refused(
                "MKDIRS below directory 8000_00_0040000000",
                below(absent),
                FsError.PERMISSION_DENIED,
                "8000_00_0040000000");
        refused("MKDIRS below a directory of shard 1", below(otherShard), FsError.NOT_OWNER, "8001_00_0000000005");
        refused(
                "MKDIRS below a file's handle",
                below(file.handle().value()),
                FsError.PERMISSION_DENIED,
                "no shard sent");
        refused("MKDIRS below a datafile's handle", below(datafile), FsError.NOT_OWNER, "0001_00");
        refused("CLOSE of metafile 8000_00_0040000000", close(absent, 0, 1), FsError.NOT_FOUND, "8000_00_0040000000");
        refused("CLOSE of a datafile's handle", close(datafile, 0, 1), FsError.INVALID_ARGUMENT, "0001_00");
        refused(
                "CLOSE of a file that is not written",
                close(file.handle().value(), 0, 1),
                FsError.NOT_WRITER,
                SessionName.of(SESSION));
        refused(
                "ATTACH with generation 99",
                change(
                        Kind.ATTACH,
                        AttachRequest.newBuilder()
                                .setMetafile(file.handle().value())
                                .setWriteGeneration(99)
                                .build()),
                FsError.STALE_GENERATION,
                "99");
    }

    private Reply below(long start) {
        return change(Kind.MKDIRS, mkdirs(under(start)));
    }

    private Reply close(long metafile, int index, long generation) {
        return change(
                Kind.CLOSE,
                CloseRequest.newBuilder()
                        .setMetafile(metafile)
                        .setWriteGeneration(generation)
                        .addColumns(AttachedColumn.newBuilder().setIndex(index).setDatafile(datafile))
                        .build());
    }

    @Test
    void valuesOutOfRange() throws IOException {
        CreateRequest create = CreateRequest.newBuilder().setLocation(at("new")).build();
        refused(
                "CREATE of 5,000 columns",
                change(Kind.CREATE, create.toBuilder().setWidth(5000).build()),
                FsError.INVALID_ARGUMENT,
                "5000");
        refused(
                "CREATE with strips of 1,000 bytes",
                change(Kind.CREATE, create.toBuilder().setStripSize(1000).build()),
                FsError.INVALID_ARGUMENT,
                "1000");
        refused(
                "CREATE with blocks of 2^64 - 1",
                change(Kind.CREATE, create.toBuilder().setBlockSize(-1).build()),
                FsError.INVALID_ARGUMENT,
                "18446744073709551615");
        refused(
                "CREATE of the root",
                change(
                        Kind.CREATE,
                        CreateRequest.newBuilder().setLocation(at("")).build()),
                FsError.IS_A_DIRECTORY,
                "/");
        refused(
                "RENAME of the root",
                change(
                        Kind.RENAME,
                        RenameRequest.newBuilder()
                                .setSource(at(""))
                                .setTarget(at("y"))
                                .build()),
                FsError.INVALID_RENAME,
                "/ cannot be renamed");
        refused("xattr of 64 KiB + 1", xattr("user.a", (64 << 10) + 1), FsError.TOO_LARGE, "65537");
        refused("xattr name of 256 bytes", xattr("user." + "a".repeat(251), 1), FsError.NAME_TOO_LONG, "256 bytes");
        refused("xattr name without a namespace", xattr("colour", 1), FsError.INVALID_ARGUMENT, "colour");
        ByteString noise = ByteString.copyFrom(new byte[] {1, 2, 3});
        refused(
                "LIST with a cursor of 3 bytes",
                ask(
                        mds,
                        Kind.LIST,
                        ListRequest.newBuilder()
                                .setLocation(at(""))
                                .setCursor(noise)
                                .build()),
                FsError.INVALID_ARGUMENT,
                "3 bytes");
        refused(
                "LIST_TREE with a cursor of 2 MiB",
                ask(
                        mds,
                        Kind.LIST_TREE,
                        ListTreeRequest.newBuilder()
                                .setLocation(at(""))
                                .setCursor(ByteString.copyFrom(new byte[2 << 20]))
                                .build()),
                FsError.INVALID_ARGUMENT,
                "2097152 bytes");
    }

    private Reply xattr(String name, int bytes) {
        return change(
                Kind.SET_XATTR,
                SetXattrRequest.newBuilder()
                        .setLocation(at("good"))
                        .setName(name)
                        .setValue(ByteString.copyFrom(new byte[bytes]))
                        .setCreate(true)
                        .build());
    }

    @Test
    void reads() throws IOException {
        long absent = Handle.of(1, 0, 1L << 30).value();
        long elsewhere = Handle.of(2, 0, 1).value();
        refused(
                "READ of datafile 0001_00_0040000000",
                readIo(absent, 0, 1),
                FsError.NO_SUCH_DATAFILE,
                "0001_00_0040000000");
        refused("READ of IO server 2's datafile", readIo(elsewhere, 0, 1), FsError.NOT_OWNER, "0002_00_0000000001");
        refused("READ of datafile 0", readIo(0, 0, 1), FsError.NOT_OWNER, "0000_00_0000000000");
        refused("READ at offset -1", readIo(datafile, -1, 1), FsError.INVALID_ARGUMENT, "18446744073709551615");
        refused("READ of 8 MiB + 1", readIo(datafile, 0, (8 << 20) + 1), FsError.TOO_LARGE, "8388609");
        refused("READ of 4 GiB - 1", readIo(datafile, 0, -1), FsError.TOO_LARGE, "4294967295");
        refused(
                "CHECKSUM with strips of 0 bytes",
                ask(
                        io,
                        Kind.CHECKSUM,
                        ChecksumRequest.newBuilder()
                                .setDatafile(datafile)
                                .setMetafile(file.handle().value())
                                .build()),
                FsError.INVALID_ARGUMENT,
                "0");
    }

    private ReadRequest read(long handle, long offset, int length) {
        return ReadRequest.newBuilder()
                .setDatafile(handle)
                .setMetafile(file.handle().value())
                .setOffset(offset)
                .setLength(length)
                .build();
    }

    private Reply readIo(long handle, long offset, int length) {
        return ask(io, Kind.READ, read(handle, offset, length));
    }

    @Test
    void writes() throws IOException {
        byte[] two = {1, 2};
        WriteRequest good = WriteRequest.newBuilder()
                .setDatafile(datafile)
                .setMetafile(file.handle().value())
                .setWriteGeneration(1)
                .setOffset(CONTENT.length)
                .addChecksums(crc(two))
                .build();
        refused(
                "WRITE with a wrong checksum",
                write(good.toBuilder().setChecksums(0, 1).build(), two),
                FsError.CORRUPT,
                "0001_00");
        refused(
                "WRITE without a checksum",
                write(good.toBuilder().clearChecksums().build(), two),
                FsError.INVALID_ARGUMENT,
                "checksum");
        refused("WRITE of 4 MiB + 1", write(good, new byte[(4 << 20) + 1]), FsError.TOO_LARGE, "4194305");
        refused(
                "WRITE beyond the end",
                write(good.toBuilder().setOffset(1 << 30).build(), two),
                FsError.WRITE_GAP,
                "1073741824");
        refused(
                "WRITE at offset -1",
                write(good.toBuilder().setOffset(-1).build(), two),
                FsError.INVALID_ARGUMENT,
                "18446744073709551615");
        refused(
                "WRITE for metafile 0",
                write(good.toBuilder().setMetafile(0).build(), two),
                FsError.INVALID_ARGUMENT,
                "metafile");
        refused(
                "WRITE for another metafile",
                write(good.toBuilder().setMetafile(Handle.ROOT.value()).build(), two),
                FsError.ALREADY_ATTACHED,
                "8000_00_0000000001");
        refused(
                "WRITE of other bytes over old ones",
                write(good.toBuilder().setOffset(0).build(), two),
                FsError.WRITE_CONFLICT,
                "0001_00");
        refused(
                "WRITE with generation 0",
                write(good.toBuilder().setWriteGeneration(0).build(), two),
                FsError.STALE_GENERATION,
                "0");
        refused(
                "TRUNCATE to more than there is",
                ask(
                        io,
                        Kind.TRUNCATE,
                        TruncateRequest.newBuilder()
                                .setDatafile(datafile)
                                .setMetafile(file.handle().value())
                                .setWriteGeneration(1)
                                .setLength(1L << 40)
                                .build()),
                FsError.INVALID_ARGUMENT,
                "1099511627776");
        refused(
                "REMOVE of 1,000,000 datafiles",
                ask(
                        io,
                        Kind.REMOVE,
                        RemoveRequest.newBuilder()
                                .addAllDatafiles(Collections.nCopies(1_000_000, 7L))
                                .build()),
                FsError.TOO_LARGE,
                "1000000");
    }

    private Reply write(WriteRequest request, byte[] payload) {
        return wire.ask(io, Kind.WRITE, header -> header, request, payload);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
