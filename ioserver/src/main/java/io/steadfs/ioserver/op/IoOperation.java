package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;

/** Answers one kind of request. Stateless. Transport threads call operations, so an operation must return at once. */
@FunctionalInterface
public interface IoOperation {
    /** Begins the call. The request's payload is released after the call is answered. */
    void handle(Call call);

    static void refuse(Call call, FsError error, String message) {
        call.reply(Reply.refused(call.request().kind(), error, message));
    }

    /** The message for a handle of another server's datafile, or a handle of no datafile at all. */
    static String notOwner(Handle datafile, int serverId) {
        return "datafile " + datafile + " is of owner " + datafile.owner() + ", this is IO server " + serverId;
    }
}
