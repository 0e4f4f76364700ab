package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.rpc.ForwardedCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in requests and gives out replies. The dispatcher finds the operation of a request, counts bytes and refusals,
 * and puts the epoch into the reply. The dispatcher releases the request's payload after the call is answered.
 */
public final class IoDispatcher implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(IoDispatcher.class);

    private final Map<Kind, IoOperation> operations;
    private final Counters counters;
    private final LongSupplier epoch;
    private final Supplier<Optional<Stopped>> stopped;

    /**
     * @param operations has an operation for each kind of request that is for IO servers
     * @param epoch gives the epoch of the newest cluster map; 0 while there is no map
     * @param stopped says why the server answers only some requests; empty if it answers all
     */
    public IoDispatcher(
            Map<Kind, IoOperation> operations,
            Counters counters,
            LongSupplier epoch,
            Supplier<Optional<Stopped>> stopped) {
        for (Kind kind : Kind.values()) {
            if (kind.target() == Kind.Target.IO && !operations.containsKey(kind)) {
                throw new IllegalArgumentException(kind + " has no operation");
            }
        }
        this.operations = new EnumMap<>(operations);
        this.counters = counters;
        this.epoch = epoch;
        this.stopped = stopped;
    }

    @Override
    public void handle(Call call) {
        Kind kind = call.request().kind();
        Call answered = new ForwardedCall(call, reply -> answer(call, reply));
        counters.add("bytes.in", call.request().payload().length());
        IoOperation operation = operations.get(kind);
        if (operation == null) {
            IoOperation.refuse(answered, FsError.NOT_SUPPORTED, "an IO server does not answer " + kind);
            return;
        }
        Optional<Stopped> reason = stopped.get().filter(why -> !why.answers(kind));
        if (reason.isPresent()) {
            IoOperation.refuse(answered, reason.get().error(kind), reason.get().why());
            return;
        }
        try {
            operation.handle(answered);
        } catch (RuntimeException | Error e) {
            LOG.error("{} from {}", kind, call.peer(), e);
            IoOperation.refuse(answered, FsError.FAULT, "broken invariant: " + e);
        }
    }

    private void answer(Call call, Reply reply) {
        call.request().payload().release();
        if (reply.isOk()) {
            counters.add("bytes.out", reply.payload().length());
        } else {
            counters.count("refused." + reply.error());
        }
        call.reply(new Reply(
                reply.error(),
                reply.header().toBuilder().setEpoch(epoch.getAsLong()).build(),
                reply.body(),
                reply.payload()));
    }
}
