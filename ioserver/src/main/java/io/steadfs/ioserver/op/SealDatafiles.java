package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.Hold;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import java.util.List;
import java.util.Optional;

/**
 * SEAL: refuses writes with lower generations than the given one from now on, even after a crash. Makes the present
 * bytes of the datafiles durable, and answers with their lengths. A second seal with the same generation gives the same
 * answer. If the server's store is not settled, the reply says so. A datafile of a store that is not settled may be
 * shorter than its writer was told.
 */
public final class SealDatafiles implements IoOperation {
    private final OnLanes onLanes;
    private final KnownGenerations generations;
    private final Hold hold;

    public SealDatafiles(int serverId, Lanes lanes, KnownGenerations generations, Hold hold) {
        onLanes = new OnLanes(serverId, lanes);
        this.generations = generations;
        this.hold = hold;
    }

    @Override
    public void handle(Call call) {
        SealRequest request = (SealRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount())) {
            return;
        }
        Handle metafile = new Handle(request.getMetafile());
        if (!metafile.isOwnedByShard()) {
            IoOperation.refuse(call, FsError.INVALID_ARGUMENT, "seal of datafiles of metafile " + metafile);
            return;
        }
        DatafileStates states = new DatafileStates(request.getDatafilesCount(), all -> answer(call, all));
        onLanes.each(call, request.getDatafilesList(), states, Batch::open, (batch, datafile, position) -> {
            if (!datafile.row().mayBeOf(metafile)) {
                states.put(
                        position,
                        DatafileStates.refused(
                                datafile.handle(),
                                FsError.NO_SUCH_DATAFILE,
                                "datafile " + datafile.handle() + " is not of metafile " + metafile + ", but of "
                                        + datafile.row().metafile()));
            } else if (request.getWriteGeneration() < datafile.leastGeneration()) {
                states.put(
                        position,
                        DatafileStates.refused(
                                        datafile.handle(),
                                        FsError.STALE_GENERATION,
                                        "datafile " + datafile.handle() + " is at write generation "
                                                + datafile.leastGeneration() + ", the seal is of "
                                                + request.getWriteGeneration())
                                .toBuilder()
                                .setWriteGeneration(datafile.leastGeneration())
                                .build());
            } else {
                Optional<KnownGenerations.Refusal> beyond = generations.refusal(
                        call.peerIdentity(), metafile, request.getWriteGeneration(), datafile.leastGeneration());
                if (beyond.isPresent()) {
                    states.put(
                            position,
                            DatafileStates.refused(
                                    datafile.handle(),
                                    beyond.get().error(),
                                    beyond.get().message()));
                    return;
                }
                datafile.seal(request.getWriteGeneration());
                batch.sync(datafile, OnLanes.putState(states, position, datafile));
            }
        });
    }

    private void answer(Call call, List<DatafileState> states) {
        Optional<DatafileState> unreached = DatafileStates.toRetry(states);
        if (unreached.isPresent()) {
            IoOperation.refuse(
                    call,
                    FsError.byCode(unreached.get().getError()).orElseThrow(),
                    unreached.get().getMessage());
            return;
        }
        call.reply(Reply.ok(SealReply.newBuilder()
                .addAllDatafiles(states)
                .setUnsettled(hold.why().isPresent())
                .build()));
    }
}
