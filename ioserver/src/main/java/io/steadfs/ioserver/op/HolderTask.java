package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import java.io.IOException;

/** Carries out a request about a holder's leases, on the lane of the holder. */
abstract class HolderTask implements LaneTask {
    private final Call call;
    private final long bytes;

    HolderTask(Call call) {
        this(call, 0);
    }

    /** @param bytes about how many bytes the rows of the task take */
    HolderTask(Call call, long bytes) {
        this.call = call;
        this.bytes = bytes;
    }

    @Override
    public final long bytes() {
        return bytes;
    }

    @Override
    public final void mark(Moment moment) {
        call.mark(moment);
    }

    @Override
    public final void run(Batch batch) throws IOException {
        if (call.isCancelled()) {
            refuse(FsError.CANCELLED, "given up before it began");
        } else {
            change(batch);
        }
    }

    /** Changes rows, and ends with a call of {@link #replyAfterCommit} or {@link #refuse}. */
    abstract void change(Batch batch) throws IOException;

    @Override
    public final void refuse(FsError error, String message) {
        IoOperation.refuse(call, error, message);
    }

    final void replyAfterCommit(Batch batch, Reply reply) {
        batch.afterCommit(Waiter.of(() -> call.reply(reply), this::refuse));
    }
}
