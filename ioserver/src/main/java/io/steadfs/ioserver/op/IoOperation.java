package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;

/** Answers one kind of request. Stateless; called from transport threads, returns at once. */
@FunctionalInterface
public interface IoOperation {
    /** Begins the call. The request's payload is released when the call is answered. */
    void handle(Call call);

    static void refuse(Call call, FsError error, String message) {
        call.reply(Reply.refused(call.request().kind(), error, message));
    }

    /** The message about handles of another server's datafiles, or of no datafile at all. */
    static String notOwner(Handle datafile, int serverId) {
        return "datafile " + datafile + " is of owner " + datafile.owner() + ", this is IO server " + serverId;
    }
}
