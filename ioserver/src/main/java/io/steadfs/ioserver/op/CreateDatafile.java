package io.steadfs.ioserver.op;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.Lane;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Slots;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.CreateDatafileReply;
import io.steadfs.wire.proto.CreateDatafileRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * CREATE_DATAFILE: makes a column's datafile without bytes, durably. The basecase create uses this request as its step
 * 2. A repetition is harmless, because it finds the datafile that an earlier try made. If a first write of the same
 * writer made the datafile, the request finds that datafile too. The datafile is unconfirmed until the shard says that
 * the metafile lists it, as after a first write.
 */
public final class CreateDatafile implements IoOperation {
    private final int serverId;
    private final Lanes lanes;
    private final DatafileHandles handles;
    private final Space space;
    private final KnownShards shards;
    private final KnownGenerations generations;

    public CreateDatafile(
            int serverId,
            Lanes lanes,
            DatafileHandles handles,
            Space space,
            KnownShards shards,
            KnownGenerations generations) {
        this.serverId = serverId;
        this.lanes = lanes;
        this.handles = handles;
        this.space = space;
        this.shards = shards;
        this.generations = generations;
    }

    @Override
    public void handle(Call call) {
        CreateDatafileRequest request = (CreateDatafileRequest) call.request().body();
        Handle metafile = new Handle(request.getMetafile());
        Optional<KnownShards.Refusal> noMetafile = shards.refusal(metafile);
        if (noMetafile.isPresent() || request.getIndex() < 0) {
            IoOperation.refuse(
                    call,
                    noMetafile.map(KnownShards.Refusal::error).orElse(FsError.INVALID_ARGUMENT),
                    "datafile for column " + request.getIndex() + ": "
                            + noMetafile.map(KnownShards.Refusal::message).orElse("there is none"));
            return;
        }
        Lane lane = lanes.ofColumn(metafile, request.getIndex());
        lane.submit(new Task(call, metafile, request.getIndex(), request.getWriteGeneration()));
    }

    private final class Task implements LaneTask {
        private final Call call;
        private final Handle metafile;
        private final int index;
        private final long generation;

        Task(Call call, Handle metafile, int index, long generation) {
            this.call = call;
            this.metafile = metafile;
            this.index = index;
            this.generation = generation;
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
            if (call.isCancelled()) {
                refuse(FsError.CANCELLED, "given up before it began");
                return;
            }
            Optional<OpenDatafile> found = NewestColumn.find(batch, metafile, index, generation);
            if (found.isEmpty()) {
                make(batch);
            } else if (found.get().row().madeGeneration() > generation
                    || found.get().leastGeneration() > generation) {
                refuseStale(found.get());
            } else if (batch.isMadeHere(found.get())) {
                batch.afterCommit(found.get(), whenDurable(found.get()));
            } else {
                done(found.get());
            }
        }

        private void make(Batch batch) {
            Optional<KnownGenerations.Refusal> beyond = generations.refusal(metafile, generation, 0);
            if (beyond.isPresent()) {
                refuse(beyond.get().error(), beyond.get().message());
                return;
            }
            if (!space.take(0)) {
                refuse(FsError.NO_SPACE, space.refusal("IO server " + serverId, 0));
                return;
            }
            Optional<Handle> handle = handles.take(Slots.ofColumn(metafile, index));
            if (handle.isEmpty()) {
                refuse(FsError.BUSY, "IO server " + serverId + " waits for numbers for new datafiles");
                return;
            }
            OpenDatafile made = batch.make(handle.get(), metafile, index, generation);
            batch.afterCommit(made, whenDurable(made));
        }

        private Waiter whenDurable(OpenDatafile datafile) {
            return Waiter.of(() -> done(datafile), this::refuse);
        }

        private void done(OpenDatafile datafile) {
            call.reply(Reply.ok(CreateDatafileReply.newBuilder()
                    .setDatafile(datafile.handle().value())
                    .build()));
        }

        private void refuseStale(OpenDatafile datafile) {
            refuse(
                    FsError.STALE_GENERATION,
                    "column " + index + " of metafile " + metafile + " has datafile " + datafile.handle()
                            + " of a later write generation than " + generation);
        }
    }
}
