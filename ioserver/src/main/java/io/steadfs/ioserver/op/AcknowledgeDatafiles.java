package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.AcknowledgeDatafilesReply;
import io.steadfs.wire.proto.AcknowledgeDatafilesRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * ACKNOWLEDGE_DATAFILES: notes that metafiles of a shard list the given datafiles, so that their handles count as used.
 * The server keeps the notes in memory only. No decision depends on the notes, because every shard is asked at the end
 * of a lease.
 */
public final class AcknowledgeDatafiles implements IoOperation {
    private static final int MOST = 10_000;

    private final int serverId;
    private final Leases leases;

    public AcknowledgeDatafiles(int serverId, Leases leases) {
        this.serverId = serverId;
        this.leases = leases;
    }

    @Override
    public void handle(Call call) {
        AcknowledgeDatafilesRequest request =
                (AcknowledgeDatafilesRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount(), MOST)) {
            return;
        }
        List<Handle> datafiles = new ArrayList<>();
        for (long value : request.getDatafilesList()) {
            Handle datafile = new Handle(value);
            if (datafile.owner() != serverId) {
                IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(datafile, serverId));
                return;
            }
            datafiles.add(datafile);
        }
        leases.know(datafiles);
        call.reply(Reply.ok(AcknowledgeDatafilesReply.getDefaultInstance()));
    }
}
