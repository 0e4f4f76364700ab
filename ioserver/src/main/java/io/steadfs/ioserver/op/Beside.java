package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.store.StoreClosedException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a read-only operation on a bounded executor beside the lanes. So the operation never waits for a sync. */
public final class Beside implements IoOperation {
    private static final Logger LOG = LoggerFactory.getLogger(Beside.class);

    private final Executor readers;
    private final IoOperation operation;

    /** @param readers runs the operation; refuses reads beyond its bound */
    public Beside(Executor readers, IoOperation operation) {
        this.readers = readers;
        this.operation = operation;
    }

    @Override
    public void handle(Call call) {
        try {
            readers.execute(() -> run(call));
        } catch (RejectedExecutionException e) {
            IoOperation.refuse(call, FsError.BUSY, "too many reads are waiting");
        }
    }

    private void run(Call call) {
        call.mark(Moment.STARTED);
        if (call.isCancelled()) {
            IoOperation.refuse(call, FsError.CANCELLED, "given up before it began");
            return;
        }
        try {
            operation.handle(call);
        } catch (StoreClosedException e) {
            IoOperation.refuse(
                    call, FsError.UNAVAILABLE, "the server is stopping, or opens its store again: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            // The call must be answered here, because nothing else would answer it.
            LOG.error("{} from {}", call.request().kind(), call.peer(), e);
            IoOperation.refuse(call, FsError.FAULT, "broken invariant: " + e);
        }
    }
}
