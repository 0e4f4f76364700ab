package io.steadfs.mds.op.copy;

import io.steadfs.mds.copy.HeldCopies;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.RecallCopiesReply;
import io.steadfs.wire.proto.RecallCopiesRequest;

/**
 * Drops copies that another shard takes back. The request goes through the writer's queue: no later decision uses the
 * copies, and the answer comes when every earlier batch is durable. Copies are no state of this shard, so the decision
 * may drop them; it does no harm twice, or if the batch is thrown away.
 */
public final class DropCopies implements Operation<RecallCopiesRequest> {
    private final HeldCopies held;

    public DropCopies(HeldCopies held) {
        this.held = held;
    }

    @Override
    public Decision<Reply> decide(RecallCopiesRequest request, Principal principal, ReadView view, Inputs inputs) {
        held.recall(request);
        return Decision.of(Reply.ok(RecallCopiesReply.getDefaultInstance()));
    }
}
