package io.steadfs.ioserver.op;

import io.netty.buffer.ByteBuf;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.Pieces;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.DiskErrors;
import io.steadfs.ioserver.lane.Lane;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Slots;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.LeaseState;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.WriteReply;
import io.steadfs.wire.proto.WriteRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * WRITE: appends to a datafile. The first write of a column also makes the datafile. The transport's thread compares
 * the bytes with their checksums before the lane gets them. A write may safely be repeated. Bytes that are already
 * there must be equal to those of the write, and the rest is appended. A repeated first write finds the datafile that
 * the earlier try made.
 *
 * <p>A write that does not ask for durability is answered at once. But the row of a new datafile is always durable
 * before the answer.
 */
public final class WriteDatafile implements IoOperation {
    public static final int MOST_BYTES = 4 << 20;

    private final int serverId;
    private final Lanes lanes;
    private final DatafileHandles handles;
    private final Space space;
    private final KnownShards shards;
    private final KnownGenerations generations;
    private final Leases leases;

    public WriteDatafile(
            int serverId,
            Lanes lanes,
            DatafileHandles handles,
            Space space,
            KnownShards shards,
            KnownGenerations generations,
            Leases leases) {
        this.serverId = serverId;
        this.lanes = lanes;
        this.handles = handles;
        this.space = space;
        this.shards = shards;
        this.generations = generations;
        this.leases = leases;
    }

    @Override
    public void handle(Call call) {
        WriteRequest request = (WriteRequest) call.request().body();
        if (!(call.request().payload() instanceof Payload.Bytes payload)) {
            IoOperation.refuse(call, FsError.INVALID_ARGUMENT, "a write whose payload is not in memory");
            return;
        }
        ByteBuf bytes = payload.buffer();
        Handle datafile = new Handle(request.getDatafile());
        Handle metafile = new Handle(request.getMetafile());
        if (bytes.readableBytes() > MOST_BYTES) {
            IoOperation.refuse(
                    call,
                    FsError.TOO_LARGE,
                    "write of " + bytes.readableBytes() + " bytes, at most " + MOST_BYTES + " go in one");
            return;
        }
        Optional<KnownShards.Refusal> noMetafile = shards.refusal(metafile);
        if (noMetafile.isPresent() || request.getIndex() < 0) {
            IoOperation.refuse(
                    call,
                    noMetafile.map(KnownShards.Refusal::error).orElse(FsError.INVALID_ARGUMENT),
                    "write to column " + request.getIndex() + ": "
                            + noMetafile.map(KnownShards.Refusal::message).orElse("there is none"));
            return;
        }
        if (request.getOffset() < 0 || request.getOffset() > DatafileRow.MOST_LENGTH - MOST_BYTES) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "write at offset " + Long.toUnsignedString(request.getOffset()) + " of datafile " + datafile);
            return;
        }
        if (!datafile.isNone() && datafile.owner() != serverId) {
            IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(datafile, serverId));
            return;
        }
        if (request.getChecksumsCount() != Pieces.count(request.getOffset(), bytes.readableBytes())) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "write of " + bytes.readableBytes() + " bytes at offset " + request.getOffset() + " comes with "
                            + request.getChecksumsCount() + " checksums instead of "
                            + Pieces.count(request.getOffset(), bytes.readableBytes()));
            return;
        }
        int[] checksums = Pieces.checksums(bytes, request.getOffset());
        for (int i = 0; i < checksums.length; i++) {
            if (checksums[i] != request.getChecksums(i)) {
                IoOperation.refuse(
                        call,
                        FsError.CORRUPT,
                        String.format(
                                "write at offset %d of datafile %s, metafile %s index %d: piece %d arrived with CRC32C"
                                        + " %08x instead of %08x; nothing was stored",
                                request.getOffset(),
                                datafile,
                                metafile,
                                request.getIndex(),
                                i,
                                checksums[i],
                                request.getChecksums(i)));
                return;
            }
        }
        Lane lane = datafile.isNone() ? lanes.ofColumn(metafile, request.getIndex()) : lanes.of(datafile);
        lane.submit(new Task(call, request, bytes, checksums));
    }

    private final class Task implements LaneTask {
        private final Call call;
        private final WriteRequest request;
        private final ByteBuf bytes;
        private final int[] checksums;
        private final Handle metafile;

        Task(Call call, WriteRequest request, ByteBuf bytes, int[] checksums) {
            this.call = call;
            this.request = request;
            this.bytes = bytes;
            this.checksums = checksums;
            this.metafile = new Handle(request.getMetafile());
            this.size = bytes.readableBytes();
        }

        private final long size;

        @Override
        public long bytes() {
            return size;
        }

        @Override
        public void mark(Moment moment) {
            call.mark(moment);
        }

        @Override
        public void refuse(FsError error, String message) {
            IoOperation.refuse(
                    call, error, error == FsError.NO_SPACE ? message + "; " + space.refusal(server(), size) : message);
        }

        @Override
        public void run(Batch batch) throws IOException {
            if (call.isCancelled()) {
                refuse(FsError.CANCELLED, "write given up before it began");
                return;
            }
            Optional<OpenDatafile> found = request.getDatafile() == 0
                    ? NewestColumn.find(batch, metafile, request.getIndex(), request.getWriteGeneration())
                    : findNamed(batch);
            if (found.isEmpty() && request.getDatafile() != 0) {
                return; // answered
            }
            Optional<KnownGenerations.Refusal> beyond = generations.refusal(
                    metafile,
                    request.getWriteGeneration(),
                    found.map(OpenDatafile::leastGeneration).orElse(0L));
            if (beyond.isPresent()) {
                refuse(beyond.get().error(), beyond.get().message());
            } else if (found.isPresent() && found.get().row().madeGeneration() > request.getWriteGeneration()) {
                refuseStale(found.get(), found.get().row().madeGeneration());
            } else if (found.isPresent() && found.get().row().isUnattached()) {
                appendFirst(batch, found.get());
            } else if (found.isPresent()) {
                append(batch, found.get());
            } else {
                makeAndAppend(batch);
            }
        }

        /**
         * Returns the named datafile. If the datafile does not exist or belongs to another column, this method answers
         * the call and returns empty.
         */
        private Optional<OpenDatafile> findNamed(Batch batch) throws IOException {
            Handle handle = new Handle(request.getDatafile());
            Optional<OpenDatafile> found = batch.open(handle);
            if (found.isEmpty()) {
                refuse(FsError.NO_SUCH_DATAFILE, "no datafile " + handle);
            } else if (!found.get().row().isUnattached()
                    && (!found.get().row().metafile().equals(metafile)
                            || found.get().row().index() != request.getIndex())) {
                refuse(
                        FsError.ALREADY_ATTACHED,
                        "datafile " + handle + " belongs to metafile "
                                + found.get().row().metafile() + " index "
                                + found.get().row().index() + ", not to " + metafile + " index "
                                + request.getIndex());
                return Optional.empty();
            }
            return found;
        }

        /** Carries out the first write to a leased datafile, which its metafile has listed from the beginning. */
        private void appendFirst(Batch batch, OpenDatafile datafile) throws IOException {
            LeaseState lease = leases.stateOf(datafile.handle());
            if (lease == LeaseState.REVOKING) {
                // The server is asking the metafile's shard whether the metafile lists the datafile. After the answer
                // the row will name the metafile.
                refuse(
                        FsError.BUSY,
                        "the lease of datafile " + datafile.handle() + " is ending; whether metafile " + metafile
                                + " lists it is being found out");
            } else {
                // If no lease holds the handle, the row of its lease could not be read, because an ended lease leaves
                // no such datafile.
                append(batch, datafile);
            }
        }

        private void makeAndAppend(Batch batch) throws IOException {
            if (request.getOffset() > 0) {
                refuseGap("metafile " + metafile + " index " + request.getIndex() + " has no datafile here yet", 0);
                return;
            }
            if (!space.take(size)) {
                refuseSpace();
                return;
            }
            Optional<Handle> handle = handles.take(Slots.ofColumn(metafile, request.getIndex()));
            if (handle.isEmpty()) {
                refuse(FsError.BUSY, "IO server " + serverId + " waits for numbers for new datafiles");
                return;
            }
            OpenDatafile datafile =
                    batch.make(handle.get(), metafile, request.getIndex(), request.getWriteGeneration());
            store(batch, datafile, bytes, checksums);
        }

        private void append(Batch batch, OpenDatafile datafile) throws IOException {
            if (request.getWriteGeneration() < datafile.leastGeneration()) {
                refuseStale(datafile, datafile.leastGeneration());
                return;
            }
            long offset = request.getOffset();
            if (offset > datafile.length()) {
                refuseGap("datafile " + datafile.handle(), datafile.length());
                return;
            }
            int known = (int) Math.min(size, datafile.length() - offset);
            ByteBuf repeated = bytes.slice(bytes.readerIndex(), known);
            if (known > 0 && !matches(datafile, repeated, offset)) {
                refuse(
                        FsError.WRITE_CONFLICT,
                        "write at offset " + offset + " of datafile " + datafile.handle() + " of length "
                                + datafile.length() + " repeats other bytes than are there");
                return;
            }
            ByteBuf rest = bytes.slice(bytes.readerIndex() + known, bytes.readableBytes() - known);
            if (rest.isReadable() && !space.take(rest.readableBytes())) {
                refuseSpace();
                return;
            }
            store(batch, datafile, rest, Pieces.rest(checksums, offset, rest, offset + known));
        }

        private boolean matches(OpenDatafile datafile, ByteBuf repeated, long offset) throws IOException {
            try {
                return datafile.matches(repeated, offset);
            } catch (IOException e) {
                throw new IOException(
                        "datafile " + datafile.handle() + " at offset " + offset + ": " + DiskErrors.message(e), e);
            }
        }

        private void store(Batch batch, OpenDatafile datafile, ByteBuf rest, int[] restChecksums) throws IOException {
            datafile.append(rest, restChecksums);
            if (datafile.row().isUnattached()) {
                batch.attach(datafile, metafile, request.getIndex(), request.getWriteGeneration());
                batch.afterCommit(Waiter.then(() -> leases.settle(datafile.handle())));
            }
            datafile.see(request.getWriteGeneration());
            if (request.getSync()) {
                batch.sync(datafile, whenDurable(datafile));
            } else if (batch.isMadeHere(datafile)) {
                batch.afterCommit(datafile, whenDurable(datafile));
            } else {
                batch.publish(datafile);
                done(datafile);
            }
        }

        private Waiter whenDurable(OpenDatafile datafile) {
            return Waiter.of(() -> done(datafile), this::refuse);
        }

        private void done(OpenDatafile datafile) {
            call.reply(Reply.ok(WriteReply.newBuilder()
                    .setDatafile(datafile.handle().value())
                    .setLength(datafile.length())
                    .setSyncedLength(datafile.row().length())
                    .build()));
        }

        private void refuseStale(OpenDatafile datafile, long least) {
            refuse(
                    FsError.STALE_GENERATION,
                    "datafile " + datafile.handle() + " is at write generation " + Long.toUnsignedString(least)
                            + ", the write is of " + Long.toUnsignedString(request.getWriteGeneration()));
        }

        private void refuseGap(String what, long length) {
            refuse(
                    FsError.WRITE_GAP,
                    "write at offset " + request.getOffset() + ", but the length is " + length + ": " + what);
        }

        private void refuseSpace() {
            IoOperation.refuse(call, FsError.NO_SPACE, space.refusal(server(), size));
        }

        private String server() {
            return "IO server " + serverId;
        }
    }
}
