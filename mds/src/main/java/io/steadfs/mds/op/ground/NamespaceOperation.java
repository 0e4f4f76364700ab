package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import java.util.List;

/**
 * An operation on the namespace. A step of the operation throws {@link Refused} to refuse the request. A refused
 * request changes nothing.
 */
public abstract class NamespaceOperation<Q extends MessageLite> implements Operation<Q> {
    private final Kind kind;

    public NamespaceOperation(Kind kind) {
        this.kind = kind;
    }

    @Override
    public final Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs) {
        try {
            return change(request, new Context(principal, view, inputs, true));
        } catch (Refused refused) {
            return new Decision<>(List.of(), refused.reply(kind));
        }
    }

    public abstract Decision<Reply> change(Q request, Context context) throws Refused;

    public static Decision<Reply> done(MessageLite body, List<LogRecord> records) {
        return new Decision<>(records, Reply.ok(body));
    }
}
