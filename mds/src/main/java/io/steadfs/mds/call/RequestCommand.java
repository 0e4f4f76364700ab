package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/**
 * Carries a client's request through the writer, and the reply back to the client. If the request needs other shards, a
 * {@link Pursuit} carries the request.
 */
final class RequestCommand implements Command<Reply> {
    private static final int BYTES_BESIDE_BODY = 256;

    private final Answering answering;
    private final Principal principal;
    private final Operation<MessageLite> operation;
    private final int sizeBytes;

    RequestCommand(Answering answering, Principal principal, Operation<MessageLite> operation) {
        this.answering = answering;
        this.principal = principal;
        this.operation = operation;
        this.sizeBytes = BYTES_BESIDE_BODY + answering.request().body().getSerializedSize();
    }

    @Override
    public Decision<Reply> decide(ReadView view, Inputs inputs) {
        return operation.decide(answering.request().body(), principal, view, inputs);
    }

    @Override
    public void deciding() {
        answering.mark(Moment.STARTED);
    }

    @Override
    public void committing() {
        answering.mark(Moment.COMMIT_BEGUN);
    }

    @Override
    public void committed() {
        answering.mark(Moment.COMMIT_ENDED);
    }

    @Override
    public void answered(Reply answer) {
        answering.reply(answer);
    }

    @Override
    public void failed(Throwable cause) {
        answering.refuse(
                FsError.TIMED_OUT, "the shard stopped while it wrote its log; whether the request was done is unknown");
    }

    @Override
    public void dropped(FsError error, String why) {
        answering.refuse(error, why);
    }

    @Override
    public boolean isCancelled() {
        return answering.isCancelled();
    }

    @Override
    public boolean mayRunHere() {
        return answering.isAlone();
    }

    @Override
    public boolean mayBeDecidedHere() {
        return answering.isOnItsThread();
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public String toString() {
        return answering.toString();
    }
}
