package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.store.Store;
import io.steadfs.store.scrub.StoreScrub;
import io.steadfs.wire.proto.ScrubStoreRequest;

/** SCRUB_STORE: reads a part of the server's store, in order to find rows and files that cannot be read. */
public final class ScrubStore implements IoOperation {
    private final Store store;

    public ScrubStore(Store store) {
        this.store = store;
    }

    @Override
    public void handle(Call call) {
        try {
            call.reply(Reply.ok(StoreScrub.answer(store, DatafileTables.ALL, (ScrubStoreRequest)
                    call.request().body())));
        } catch (IllegalArgumentException e) {
            IoOperation.refuse(call, FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }
}
