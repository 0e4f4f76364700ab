package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;

/**
 * LEASE_HANDLES: leases a range of handles, with or without their datafiles. Source: "File Creation Strategies in a
 * Distributed Metadata File System", section 4.4 (precreation) and section 4.3 (leased handles).
 */
public final class LeaseHandles implements IoOperation {
    private final Grants grants;

    public LeaseHandles(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void handle(Call call) {
        grants.grant((LeaseHandlesRequest) call.request().body(), new Grants.LeaseAnswer() {
            @Override
            public boolean isGivenUp() {
                return call.isCancelled();
            }

            @Override
            public void mark(Moment moment) {
                call.mark(moment);
            }

            @Override
            public void granted(LeaseHandlesReply lease) {
                call.reply(Reply.ok(lease));
            }

            @Override
            public void refused(FsError error, String message) {
                IoOperation.refuse(call, error, message);
            }
        });
    }
}
