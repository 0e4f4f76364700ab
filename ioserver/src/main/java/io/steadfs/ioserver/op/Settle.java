package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.datafile.Hold;
import io.steadfs.ioserver.lane.DiskErrors;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.SettleReply;
import io.steadfs.wire.proto.SettleRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * SETTLE_IO_SERVER: settles the server's store after a check of the file system has found nothing else wrong. From now
 * on, a datafile without a row counts as not existing.
 */
public final class Settle implements IoOperation {
    private final Hold hold;

    public Settle(Hold hold) {
        this.hold = hold;
    }

    @Override
    public void handle(Call call) {
        String settles = ((SettleRequest) call.request().body()).getSettles();
        Optional<String> why = hold.why();
        if (!settles.isEmpty() && why.isPresent()) {
            if (!why.get().equals(settles)) {
                IoOperation.refuse(
                        call, FsError.STALE_VERSION, "the server is not settled for another reason: " + why.get());
                return;
            }
            try {
                hold.end();
            } catch (IOException e) {
                IoOperation.refuse(call, DiskErrors.of(e), String.valueOf(e.getMessage()));
                return;
            }
        }
        call.reply(
                Reply.ok(SettleReply.newBuilder().setUnsettled(why.orElse("")).build()));
    }
}
