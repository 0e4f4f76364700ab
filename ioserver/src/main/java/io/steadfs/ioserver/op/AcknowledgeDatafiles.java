package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.AcknowledgeDatafilesReply;
import io.steadfs.wire.proto.AcknowledgeDatafilesRequest;
import io.steadfs.wire.proto.FenceHandlesReply;
import java.util.List;
import java.util.function.Consumer;

/**
 * ACKNOWLEDGE_DATAFILES: metafiles of a shard list these datafiles, so they are in use. Answered when that is durable; harmless late and
 * twice: handles are never given to another file, and a datafile that was removed stays removed.
 */
public final class AcknowledgeDatafiles implements Verb {
    private final int serverId;
    private final Settling settling;

    /** Makes datafiles those of the metafiles that list them. */
    @FunctionalInterface
    public interface Settling {
        /** @param whenDurable told once whether all of it could be done */
        void settle(List<FenceHandlesReply.Used> listed, Consumer<Boolean> whenDurable);
    }

    public AcknowledgeDatafiles(int serverId, Settling settling) {
        this.serverId = serverId;
        this.settling = settling;
    }

    @Override
    public void handle(Call call) {
        List<FenceHandlesReply.Used> listed =
                ((AcknowledgeDatafilesRequest) call.request().body()).getListedList();
        for (FenceHandlesReply.Used each : listed) {
            Handle datafile = new Handle(each.getDatafile());
            Handle metafile = new Handle(each.getMetafile());
            if (datafile.owner() != serverId) {
                Verb.refuse(call, FsError.NOT_OWNER, Verb.notOwner(datafile, serverId));
                return;
            }
            if (!metafile.isOwnedByShard()) {
                Verb.refuse(
                        call,
                        FsError.INVALID_ARGUMENT,
                        "datafile " + datafile + " is said to belong to " + metafile + ", which is no metafile");
                return;
            }
        }
        settling.settle(listed, done -> {
            if (done) {
                call.reply(Reply.ok(AcknowledgeDatafilesReply.getDefaultInstance()));
            } else {
                Verb.refuse(
                        call,
                        FsError.BUSY,
                        "not all of " + listed.size() + " datafiles could be given to their metafiles: see the log");
            }
        });
    }
}
