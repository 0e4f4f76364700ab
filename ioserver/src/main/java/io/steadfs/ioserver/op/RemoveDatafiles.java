package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import java.util.List;

/**
 * REMOVE: rows first, files after their commit. Harmless to repeat: a datafile that is not there is removed already. A
 * request that is refused may have been done in part.
 */
public final class RemoveDatafiles implements Verb {
    private final OnLanes onLanes;

    public RemoveDatafiles(int serverId, Lanes lanes) {
        onLanes = new OnLanes(serverId, lanes);
    }

    @Override
    public void handle(Call call) {
        RemoveRequest request = (RemoveRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount())) {
            return;
        }
        DatafileStates states = new DatafileStates(request.getDatafilesCount(), all -> answer(call, all));
        onLanes.each(
                call,
                request.getDatafilesList(),
                states,
                Batch::openToRemove,
                (batch, datafile, position) -> batch.remove(datafile, OnLanes.putState(states, position, datafile)));
    }

    private static void answer(Call call, List<DatafileState> states) {
        int removed = 0;
        for (DatafileState state : states) {
            FsError error = FsError.byCode(state.getError()).orElse(FsError.FAULT);
            if (error == FsError.OK) {
                removed++;
            } else if (error != FsError.NO_SUCH_DATAFILE) {
                Verb.refuse(call, error, state.getMessage());
                return;
            }
        }
        call.reply(Reply.ok(RemoveReply.newBuilder().setRemoved(removed).build()));
    }
}
