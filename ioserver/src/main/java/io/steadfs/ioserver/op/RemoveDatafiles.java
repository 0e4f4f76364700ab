package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * REMOVE: removes rows first, and files after the commit. A request may safely be repeated, because a datafile that
 * does not exist counts as removed. A request that is refused may have been done in part. Two kinds of datafiles stay:
 *
 * <ul>
 *   <li>A datafile stays if its row names another metafile than the request. The metafile that listed the datafile had
 *       no right to do so.
 *   <li>A datafile stays if its row cannot be read, and the reply names the datafile as kept. The request may demand
 *       that unreadable datafiles are removed as well.
 * </ul>
 */
public final class RemoveDatafiles implements IoOperation {
    private static final Logger LOG = LoggerFactory.getLogger(RemoveDatafiles.class);

    private final OnLanes onLanes;
    private final Counters counters;
    private final Leases leases;

    public RemoveDatafiles(int serverId, Lanes lanes, Counters counters, Leases leases) {
        this.counters = counters;
        this.leases = leases;
        onLanes = new OnLanes(serverId, lanes);
    }

    @Override
    public void handle(Call call) {
        RemoveRequest request = (RemoveRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount())) {
            return;
        }
        if (request.getMetafilesCount() != request.getDatafilesCount()) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "remove of " + request.getDatafilesCount() + " datafiles names " + request.getMetafilesCount()
                            + " metafiles");
            return;
        }
        DatafileStates states = new DatafileStates(request.getDatafilesCount(), all -> answer(call, all));
        OnLanes.Finding finding = request.getUnreadable() ? Batch::openToDiscard : Batch::openToRemove;
        onLanes.each(call, request.getDatafilesList(), states, finding, (batch, datafile, position) -> {
            Handle metafile = new Handle(request.getMetafiles(position));
            if (datafile.row().mayBeOf(metafile)) {
                boolean unattached = datafile.row().isUnattached();
                batch.remove(datafile, OnLanes.putState(states, position, datafile));
                if (unattached) {
                    batch.afterCommit(Waiter.then(() -> leases.settle(datafile.handle())));
                }
            } else {
                states.put(position, foreign(datafile, metafile));
            }
        });
    }

    private DatafileState foreign(OpenDatafile datafile, Handle metafile) {
        String message = "datafile " + datafile.handle() + " is not of metafile " + metafile
                + ", which listed it, but of " + datafile.row().metafile() + ": it is not removed";
        LOG.error(message);
        counters.count("remove.foreign");
        return DatafileStates.refused(datafile.handle(), FsError.NO_SUCH_DATAFILE, message);
    }

    private void answer(Call call, List<DatafileState> states) {
        RemoveReply.Builder reply = RemoveReply.newBuilder();
        int removed = 0;
        for (DatafileState state : states) {
            FsError error = FsError.byCode(state.getError()).orElse(FsError.FAULT);
            if (error == FsError.OK) {
                removed++;
            } else if (error == FsError.CORRUPT) {
                LOG.error("datafile {} stays: {}", new Handle(state.getDatafile()), state.getMessage());
                counters.count("remove.unreadable");
                reply.addKept(state.getDatafile());
            } else if (error != FsError.NO_SUCH_DATAFILE) {
                IoOperation.refuse(call, error, state.getMessage());
                return;
            }
        }
        call.reply(Reply.ok(reply.setRemoved(removed).build()));
    }
}
