package io.steadfs.ioserver.op;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.StatusReply;
import java.util.function.Supplier;

/** STATUS: returns the server's own status. A server that has stopped after a failure answers this request too. */
public final class ReportStatus implements IoOperation {
    private final Supplier<StatusReply> account;

    public ReportStatus(Supplier<StatusReply> account) {
        this.account = account;
    }

    @Override
    public void handle(Call call) {
        call.reply(Reply.ok(account.get()));
    }
}
