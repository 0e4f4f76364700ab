package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.StatDatafilesReply;
import io.steadfs.wire.proto.StatDatafilesRequest;

/** STAT_DATAFILES: returns the visible and the durable lengths of datafiles, in the order of the request. */
public final class StatDatafiles implements IoOperation {
    private final int serverId;
    private final VisibleDatafiles visible;

    public StatDatafiles(int serverId, VisibleDatafiles visible) {
        this.serverId = serverId;
        this.visible = visible;
    }

    @Override
    public void handle(Call call) {
        StatDatafilesRequest request = (StatDatafilesRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount())) {
            return;
        }
        StatDatafilesReply.Builder reply = StatDatafilesReply.newBuilder();
        for (long value : request.getDatafilesList()) {
            reply.addDatafiles(state(new Handle(value)));
        }
        call.reply(Reply.ok(reply.build()));
    }

    private DatafileState state(Handle handle) {
        if (handle.owner() != serverId) {
            return DatafileStates.refused(handle, FsError.NOT_OWNER, IoOperation.notOwner(handle, serverId));
        }
        try {
            return visible.findFacts(handle)
                    .map(DatafileStates::of)
                    .orElseGet(() -> DatafileStates.refused(handle, FsError.NO_SUCH_DATAFILE, "no datafile " + handle));
        } catch (UnreadableDatafileException e) {
            return DatafileStates.refused(handle, FsError.CORRUPT, visible.place() + ": " + e.getMessage());
        }
    }
}
