package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.list.Answers;
import io.steadfs.client.write.ColumnServer;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateDatafileReply;
import io.steadfs.wire.proto.CreateDatafileRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The datafile of one column, made before any byte is written, try after try as {@link RetryRule} says. There is one try at a time, and
 * each begins where the one before ended. So the fields need no lock. A lost try may have made a datafile at a server that was then given
 * up; that server removes it after asking the shard about it.
 */
final class NewDatafile {
    private final Courier courier;
    private final Operation operation;
    private final CreateDatafileRequest request;
    private final ColumnServer server;
    private final long startNanos;
    private final CompletableFuture<Handle> made = new CompletableFuture<>();
    private int failures;

    /** @param index of the column in the metafile's layout */
    NewDatafile(Courier courier, Operation operation, Attributes metafile, int index) {
        this.courier = courier;
        this.operation = operation;
        this.request = CreateDatafileRequest.newBuilder()
                .setMetafile(metafile.getHandle())
                .setIndex(index)
                .setWriteGeneration(metafile.getWriteGeneration())
                .build();
        this.server = new ColumnServer(courier, metafile.getLayout().getServers(index));
        this.startNanos = courier.clock().monotonicNanos();
    }

    /** Begins. Fails with a refusal that repeating cannot cure, or with the last refusal when the time is over. */
    CompletableFuture<Handle> make() {
        attempt();
        return made;
    }

    private void attempt() {
        if (made.isDone()) {
            return;
        }
        int id = server.id();
        Optional<ServerAddress> address = courier.cluster().present().flatMap(map -> map.ioServer(id));
        if (address.isEmpty()) {
            answered(refused(FsError.UNREACHABLE, "cluster map has no address of IO server " + id));
            return;
        }
        var unused = courier.attempt(
                        operation,
                        Kind.CREATE_DATAFILE,
                        "create datafile",
                        address.get(),
                        0,
                        request,
                        Payload.EMPTY,
                        Courier.Stamp.NONE,
                        courier.rule().attemptTimeoutMillis())
                .whenComplete((reply, broken) -> {
                    Reply answer = reply != null ? reply : refused(FsError.CONNECTION_LOST, String.valueOf(broken));
                    answer.payload().release();
                    courier.cluster().seen(answer.header().getEpoch());
                    answered(answer);
                });
    }

    private static Reply refused(FsError error, String message) {
        return Reply.refused(Kind.CREATE_DATAFILE, error, message);
    }

    private void answered(Reply reply) {
        if (reply.isOk()) {
            try {
                made.complete(Answers.datafile(((CreateDatafileReply) reply.body()).getDatafile()));
            } catch (FsException e) {
                made.completeExceptionally(e);
            }
            return;
        }
        FsError error = reply.error();
        RetryRule.Verdict verdict = RetryRule.verdict(error);
        String where = server.id() + ": " + reply.header().getMessage();
        failures++;
        server.tryFailed();
        boolean moved = server.isAtFault(error) && server.moveElsewhere();
        long pauseMillis = courier.rule().pauseMillis(failures);
        if ((verdict == RetryRule.Verdict.SETTLED && !moved) || courier.isOver(startNanos, pauseMillis)) {
            made.completeExceptionally(new FsException(
                    courier.pauses().areOver() ? FsError.CANCELLED : error,
                    operation.subject() + ": no datafile for column " + request.getIndex() + " at IO server " + where));
            return;
        }
        courier.counters().retries.increment();
        if (RetryRule.hintsAtMove(error) || verdict == RetryRule.Verdict.REFRESH_THEN_AGAIN) {
            var unused = courier.cluster().refresh();
        }
        courier.pauses().then(pauseMillis, this::attempt);
    }
}
