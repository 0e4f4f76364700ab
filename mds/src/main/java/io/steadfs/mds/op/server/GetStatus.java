package io.steadfs.mds.op.server;

import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.function.Supplier;

/** Answers the status of the server. */
public final class GetStatus implements Query<StatusRequest> {
    private final Supplier<StatusReply> account;

    public GetStatus(Supplier<StatusReply> account) {
        this.account = account;
    }

    @Override
    public Reply answer(StatusRequest request, Principal principal, ReadView view, Inputs inputs) {
        return Reply.ok(account.get());
    }
}
