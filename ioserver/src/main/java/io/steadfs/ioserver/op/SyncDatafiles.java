package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.SyncReply;
import io.steadfs.wire.proto.SyncRequest;
import java.util.List;
import java.util.Optional;

/**
 * SYNC: makes the present bytes of datafiles durable, and answers with their lengths. A writer compares the lengths
 * with what it wrote. After a restart of the server, bytes that were never synced are lost.
 */
public final class SyncDatafiles implements IoOperation {
    private final OnLanes onLanes;

    public SyncDatafiles(int serverId, Lanes lanes) {
        onLanes = new OnLanes(serverId, lanes);
    }

    @Override
    public void handle(Call call) {
        SyncRequest request = (SyncRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount())) {
            return;
        }
        DatafileStates states = new DatafileStates(request.getDatafilesCount(), all -> answer(call, all));
        onLanes.each(call, request.getDatafilesList(), states, Batch::open, (batch, datafile, position) -> {
            if (request.getWriteGeneration() < datafile.leastGeneration()) {
                states.put(
                        position,
                        DatafileStates.refused(
                                datafile.handle(),
                                FsError.STALE_GENERATION,
                                "datafile " + datafile.handle() + " is at write generation "
                                        + datafile.leastGeneration() + ", the sync is of "
                                        + request.getWriteGeneration()));
            } else {
                batch.sync(datafile, OnLanes.putState(states, position, datafile));
            }
        });
    }

    /**
     * Answers the call. If one datafile could not be reached now, the whole request is refused, because its sender may
     * safely repeat a sync.
     */
    private static void answer(Call call, List<DatafileState> states) {
        Optional<DatafileState> unreached = DatafileStates.toRetry(states);
        if (unreached.isPresent()) {
            IoOperation.refuse(
                    call,
                    FsError.byCode(unreached.get().getError()).orElseThrow(),
                    unreached.get().getMessage());
            return;
        }
        call.reply(Reply.ok(SyncReply.newBuilder().addAllDatafiles(states).build()));
    }
}
