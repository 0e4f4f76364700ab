package io.steadfs.client;

import io.netty.buffer.Unpooled;
import io.steadfs.checksum.Chunks;
import io.steadfs.checksum.Crc32cCombine;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ChecksumReply;
import io.steadfs.wire.proto.ChecksumRequest;
import io.steadfs.wire.proto.CreateDatafileReply;
import io.steadfs.wire.proto.CreateDatafileRequest;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.ReadReply;
import io.steadfs.wire.proto.ReadRequest;
import io.steadfs.wire.proto.ReserveHandleReply;
import io.steadfs.wire.proto.ReserveHandleRequest;
import io.steadfs.wire.proto.StatDatafilesReply;
import io.steadfs.wire.proto.StatDatafilesRequest;
import io.steadfs.wire.proto.SyncReply;
import io.steadfs.wire.proto.SyncRequest;
import io.steadfs.wire.proto.WriteReply;
import io.steadfs.wire.proto.WriteRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** An IO server that keeps datafiles in arrays, by the rules for WRITE, READ, SYNC, STAT_DATAFILES and CHECKSUM. */
public final class MemoryIoServer implements RequestHandler {
    /** One datafile. Stored checksums are those of the bytes as written, so that a flipped bit shows. */
    static final class Datafile {
        /** 0 = none yet. */
        long metafile;

        byte[] bytes = new byte[0];
        int synced;
        final List<Integer> checksums = new ArrayList<>();

        Datafile(long metafile) {
            this.metafile = metafile;
        }

        private void append(byte[] more) {
            int length = bytes.length;
            bytes = Arrays.copyOf(bytes, length + more.length);
            System.arraycopy(more, 0, bytes, length, more.length);
            int chunk = length / Chunks.CHUNK_BYTES;
            while (checksums.size() > chunk) {
                checksums.remove(checksums.size() - 1);
            }
            for (int at = chunk * Chunks.CHUNK_BYTES; at < bytes.length; at += Chunks.CHUNK_BYTES) {
                checksums.add(crc(bytes, at, Math.min(bytes.length, at + Chunks.CHUNK_BYTES)));
            }
        }
    }

    public final Map<Long, Datafile> datafiles = new TreeMap<>();
    final List<Kind> kinds = new ArrayList<>();
    public boolean full;
    public boolean broken;
    private final Map<String, Long> firstWrites = new TreeMap<>();
    private final int id;
    private final Random random;
    private final int busyPerMille;
    private long sequence;

    MemoryIoServer(int id, Random random, int busyPerMille) {
        this.id = id;
        this.random = random;
        this.busyPerMille = busyPerMille;
    }

    /** A datafile that is there. */
    Datafile datafile(long handle) {
        return Objects.requireNonNull(datafiles.get(handle), "no such datafile");
    }

    /** Has the datafiles of the other one too, as they are now, and gives new ones other handles. */
    synchronized void copyDatafiles(MemoryIoServer other) {
        other.datafiles.forEach((handle, datafile) -> {
            Datafile copy = new Datafile(datafile.metafile);
            copy.bytes = datafile.bytes.clone();
            copy.synced = datafile.synced;
            copy.checksums.addAll(datafile.checksums);
            datafiles.put(handle, copy);
        });
        firstWrites.putAll(other.firstWrites);
        sequence = Math.max(sequence, other.sequence);
    }

    /** What a power cut does. */
    void forgetUnsynced() {
        for (Datafile datafile : datafiles.values()) {
            byte[] kept = Arrays.copyOf(datafile.bytes, datafile.synced);
            datafile.bytes = new byte[0];
            datafile.append(kept);
        }
    }

    @Override
    public synchronized void handle(Call call) {
        Request request = call.request();
        kinds.add(request.kind());
        byte[] payload = bytes(request.payload());
        if (random.nextInt(1000) < busyPerMille) {
            call.reply(Reply.refused(request.kind(), FsError.BUSY, "IO server " + id + " is busy"));
            return;
        }
        call.reply(
                switch (request.kind()) {
                    case WRITE -> write((WriteRequest) request.body(), payload);
                    case LEASE_HANDLES -> lease((LeaseHandlesRequest) request.body());
                    case RESERVE_HANDLE -> reserve((ReserveHandleRequest) request.body());
                    case CREATE_DATAFILE -> create((CreateDatafileRequest) request.body());
                    case READ -> read((ReadRequest) request.body());
                    case SYNC -> sync((SyncRequest) request.body());
                    case STAT_DATAFILES -> stat((StatDatafilesRequest) request.body());
                    case CHECKSUM -> checksum((ChecksumRequest) request.body());
                    default -> Reply.refused(request.kind(), FsError.NOT_SUPPORTED, "not an IO server's");
                });
    }

    private static byte[] bytes(Payload payload) {
        byte[] bytes = new byte[(int) payload.length()];
        ((Payload.Bytes) payload)
                .buffer()
                .getBytes(((Payload.Bytes) payload).buffer().readerIndex(), bytes);
        payload.release();
        return bytes;
    }

    private static int crc(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    private Reply write(WriteRequest write, byte[] payload) {
        if (full) {
            return Reply.refused(Kind.WRITE, FsError.NO_SPACE, "IO server " + id + " is full");
        }
        int piece = 0;
        int from = 0;
        while (from < payload.length) {
            long at = write.getOffset() + from;
            int to = (int) Math.min(payload.length, from + Chunks.CHUNK_BYTES - at % Chunks.CHUNK_BYTES);
            if (piece >= write.getChecksumsCount() || crc(payload, from, to) != write.getChecksums(piece)) {
                return Reply.refused(Kind.WRITE, FsError.CORRUPT, "piece " + piece);
            }
            piece++;
            from = to;
        }
        if (piece != write.getChecksumsCount()) {
            return Reply.refused(Kind.WRITE, FsError.BAD_MESSAGE, write.getChecksumsCount() + " checksums");
        }
        long handle = write.getDatafile();
        if (handle == 0) {
            if (write.getOffset() != 0) {
                return Reply.refused(Kind.WRITE, FsError.BAD_MESSAGE, "first write at " + write.getOffset());
            }
            handle = make(write.getMetafile(), write.getIndex());
        }
        Datafile datafile = datafiles.get(handle);
        if (datafile == null) {
            return Reply.refused(Kind.WRITE, FsError.NO_SUCH_DATAFILE, new Handle(handle).toString());
        }
        if (datafile.metafile == 0) {
            datafile.metafile = write.getMetafile();
        }
        if (datafile.metafile != write.getMetafile()) {
            return Reply.refused(Kind.WRITE, FsError.ALREADY_ATTACHED, new Handle(handle).toString());
        }
        if (write.getOffset() > datafile.bytes.length) {
            return Reply.refused(
                    Kind.WRITE, FsError.WRITE_GAP, write.getOffset() + " is beyond " + datafile.bytes.length);
        }
        int known = (int) Math.min(payload.length, datafile.bytes.length - write.getOffset());
        if (!Arrays.equals(
                payload, 0, known, datafile.bytes, (int) write.getOffset(), (int) write.getOffset() + known)) {
            return Reply.refused(Kind.WRITE, FsError.WRITE_CONFLICT, "at " + write.getOffset());
        }
        datafile.append(Arrays.copyOfRange(payload, known, payload.length));
        if (write.getSync()) {
            datafile.synced = datafile.bytes.length;
        }
        return Reply.ok(WriteReply.newBuilder()
                .setDatafile(handle)
                .setLength(datafile.bytes.length)
                .setSyncedLength(datafile.synced)
                .build());
    }

    private long make(long metafile, int index) {
        return firstWrites.computeIfAbsent(metafile + "/" + index, first -> {
            long made = Handle.of(id, 0, ++sequence).value();
            datafiles.put(made, new Datafile(metafile));
            return made;
        });
    }

    private Optional<Reply> trouble(Kind kind) {
        if (full) {
            return Optional.of(Reply.refused(kind, FsError.NO_SPACE, "IO server " + id + " is full"));
        }
        return broken
                ? Optional.of(Reply.refused(kind, FsError.IO_ERROR, "IO server " + id + " is broken"))
                : Optional.empty();
    }

    private Reply lease(LeaseHandlesRequest lease) {
        return trouble(Kind.LEASE_HANDLES).orElseGet(() -> {
            long first = Handle.of(id, 0, sequence + 1).value();
            sequence += lease.getCount();
            int made = !lease.getHandlesOnly() ? lease.getCount() : lease.getReserveFirst() ? 1 : 0;
            for (int i = 0; i < made; i++) {
                datafiles.put(first + i, new Datafile(0));
            }
            return Reply.ok(LeaseHandlesReply.newBuilder()
                    .setFirst(first)
                    .setCount(lease.getCount())
                    .setDurationMillis(60_000)
                    .build());
        });
    }

    private Reply reserve(ReserveHandleRequest reserve) {
        return trouble(Kind.RESERVE_HANDLE).orElseGet(() -> {
            datafiles.putIfAbsent(reserve.getDatafile(), new Datafile(0));
            return Reply.ok(ReserveHandleReply.getDefaultInstance());
        });
    }

    private Reply create(CreateDatafileRequest create) {
        return trouble(Kind.CREATE_DATAFILE)
                .orElseGet(() -> Reply.ok(CreateDatafileReply.newBuilder()
                        .setDatafile(make(create.getMetafile(), create.getIndex()))
                        .build()));
    }

    private Reply read(ReadRequest read) {
        Datafile datafile = datafiles.get(read.getDatafile());
        if (datafile == null) {
            return Reply.refused(Kind.READ, FsError.NO_SUCH_DATAFILE, new Handle(read.getDatafile()).toString());
        }
        int from = (int) Math.min(Chunks.floor(read.getOffset()), datafile.bytes.length);
        long wanted = Chunks.count(read.getOffset() + read.getLength()) * Chunks.CHUNK_BYTES;
        int to = (int) Math.min(wanted, datafile.bytes.length);
        ReadReply.Builder reply = ReadReply.newBuilder().setOffset(from).setDatafileLength(datafile.bytes.length);
        for (int chunk = from / Chunks.CHUNK_BYTES; chunk < Chunks.count(to); chunk++) {
            reply.addChecksums(datafile.checksums.get(chunk));
        }
        return Reply.ok(reply.build(), new Payload.Bytes(Unpooled.copiedBuffer(datafile.bytes, from, to - from)));
    }

    private DatafileState state(long handle) {
        Datafile datafile = datafiles.get(handle);
        DatafileState.Builder state = DatafileState.newBuilder().setDatafile(handle);
        if (datafile == null) {
            return state.setError(FsError.NO_SUCH_DATAFILE.code()).build();
        }
        return state.setLength(datafile.bytes.length)
                .setSyncedLength(datafile.synced)
                .build();
    }

    private Reply sync(SyncRequest sync) {
        SyncReply.Builder reply = SyncReply.newBuilder();
        for (long handle : sync.getDatafilesList()) {
            Datafile datafile = datafiles.get(handle);
            if (datafile != null) {
                datafile.synced = datafile.bytes.length;
            }
            reply.addDatafiles(state(handle));
        }
        return Reply.ok(reply.build());
    }

    private Reply stat(StatDatafilesRequest stat) {
        StatDatafilesReply.Builder reply = StatDatafilesReply.newBuilder();
        stat.getDatafilesList().forEach(handle -> reply.addDatafiles(state(handle)));
        return Reply.ok(reply.build());
    }

    private Reply checksum(ChecksumRequest request) {
        Datafile datafile = datafiles.get(request.getDatafile());
        if (datafile == null) {
            return Reply.refused(Kind.CHECKSUM, FsError.NO_SUCH_DATAFILE, "" + request.getDatafile());
        }
        ChecksumReply.Builder reply = ChecksumReply.newBuilder().setLength(datafile.bytes.length);
        for (int strip = 0; strip < datafile.bytes.length; strip += request.getStripSize()) {
            int crc = 0;
            int end = Math.min(datafile.bytes.length, strip + request.getStripSize());
            for (int at = strip; at < end; at += Chunks.CHUNK_BYTES) {
                int bytes = Math.min(Chunks.CHUNK_BYTES, end - at);
                crc = Crc32cCombine.combine(crc, datafile.checksums.get(at / Chunks.CHUNK_BYTES), bytes);
            }
            reply.addStrips(crc);
        }
        return Reply.ok(reply.build());
    }
}
