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
 * Makes the datafile of one column before the client writes any byte. Repeats failed tries as {@link RetryRule} says.
 * The fields need no lock, because tries never overlap. If a try got no answer, an IO server may have made a datafile
 * that no file uses. Before the IO server removes an unused datafile, it asks the shard.
 */
final class NewDatafile {
    private final Courier courier;
    private final Operation operation;
    private final CreateDatafileRequest request;
    private final ColumnServer server;
    private final long startNanos;
    private final CompletableFuture<Handle> made = new CompletableFuture<>();
    private int failures;

    /** @param index index of the column in the metafile's layout */
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

    /**
     * Begins the first try. The future fails if a server refuses for good. If the operation timeout is over, the future
     * fails with the last refusal.
     */
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
