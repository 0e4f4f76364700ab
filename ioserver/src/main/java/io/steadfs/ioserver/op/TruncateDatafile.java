package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.TruncateReply;
import io.steadfs.wire.proto.TruncateRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * TRUNCATE: cuts a datafile durably. The new length must not be above the present length. The checksum of the rest of
 * the cut chunk is computed only from bytes that match the stored checksum. The row is committed before the file is
 * cut, and the lane appends nothing in between.
 *
 * <p>A generation truncates before it writes. A truncate with a generation that has written is a late duplicate, and is
 * refused unless there is nothing to cut. The server records durably that a generation has written, together with the
 * generation's bytes. Until a generation has written, its truncates may be repeated.
 */
public final class TruncateDatafile implements IoOperation {
    private final int serverId;
    private final Lanes lanes;
    private final DataFiles disk;
    private final KnownGenerations generations;

    public TruncateDatafile(int serverId, Lanes lanes, DataFiles disk, KnownGenerations generations) {
        this.serverId = serverId;
        this.lanes = lanes;
        this.disk = disk;
        this.generations = generations;
    }

    @Override
    public void handle(Call call) {
        TruncateRequest request = (TruncateRequest) call.request().body();
        Handle handle = new Handle(request.getDatafile());
        if (handle.owner() != serverId) {
            IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(handle, serverId));
            return;
        }
        Handle metafile = new Handle(request.getMetafile());
        if (!metafile.isOwnedByShard()) {
            IoOperation.refuse(
                    call, FsError.INVALID_ARGUMENT, "truncate of datafile " + handle + " of metafile " + metafile);
            return;
        }
        lanes.of(handle).submit(new Task(call, request, handle));
    }

    private final class Task implements LaneTask {
        private final Call call;
        private final TruncateRequest request;
        private final Handle handle;

        Task(Call call, TruncateRequest request, Handle handle) {
            this.call = call;
            this.request = request;
            this.handle = handle;
        }

        @Override
        public boolean endsBatch() {
            return true;
        }

        @Override
        public void mark(Moment moment) {
            call.mark(moment);
        }

        @Override
        public void refuse(FsError error, String message) {
            IoOperation.refuse(call, error, message);
        }

        @Override
        public void run(Batch batch) throws IOException {
            Optional<OpenDatafile> found = batch.open(handle);
            if (call.isCancelled()) {
                refuse(FsError.CANCELLED, "truncate given up before it began");
            } else if (found.isEmpty()) {
                refuse(FsError.NO_SUCH_DATAFILE, "no datafile " + handle);
            } else {
                truncate(batch, found.get());
            }
        }

        private void truncate(Batch batch, OpenDatafile datafile) throws IOException {
            long length = request.getLength();
            Handle metafile = new Handle(request.getMetafile());
            if (!datafile.row().mayBeOf(metafile)) {
                refuse(
                        FsError.ALREADY_ATTACHED,
                        "datafile " + handle + " belongs to metafile "
                                + datafile.row().metafile() + ", not to " + metafile);
            } else if (request.getWriteGeneration() < datafile.leastGeneration()) {
                refuse(
                        FsError.STALE_GENERATION,
                        "datafile " + handle + " is at write generation " + datafile.leastGeneration()
                                + ", the truncate is of " + request.getWriteGeneration());
            } else if (length < 0 || length > datafile.length()) {
                refuse(
                        FsError.INVALID_ARGUMENT,
                        "truncate of datafile " + handle + " to " + Long.toUnsignedString(length) + " bytes, it has "
                                + datafile.length());
            } else if (datafile.hasWritten(request.getWriteGeneration()) && length < datafile.length()) {
                refuse(
                        FsError.STALE_GENERATION,
                        "datafile " + handle + " was written under write generation " + request.getWriteGeneration()
                                + ", which may not cut it any more");
            } else if (isBeyond(metafile, datafile)) {
                return; // answered
            } else if (!datafile.truncate(length, batch.rows())) {
                refuse(
                        FsError.CORRUPT,
                        "datafile " + handle + " in " + disk.locationOf(handle)
                                + ": the chunk that a truncate to " + length
                                + " would cut does not match its checksum");
            } else {
                datafile.seal(request.getWriteGeneration());
                batch.sync(datafile, whenDurable(datafile));
                batch.cutAfterCommit(datafile);
            }
        }

        /**
         * Whether the generation is refused because the metafile is not known to have reached it. If the generation is
         * refused, this method answers the call.
         */
        private boolean isBeyond(Handle metafile, OpenDatafile datafile) {
            Optional<KnownGenerations.Refusal> beyond = generations.refusal(
                    call.peerIdentity(), metafile, request.getWriteGeneration(), datafile.leastGeneration());
            beyond.ifPresent(refusal -> refuse(refusal.error(), refusal.message()));
            return beyond.isPresent();
        }

        private Waiter whenDurable(OpenDatafile datafile) {
            return Waiter.of(
                    () -> call.reply(Reply.ok(TruncateReply.newBuilder()
                            .setDatafile(DatafileStates.of(datafile))
                            .build())),
                    this::refuse);
        }
    }
}
