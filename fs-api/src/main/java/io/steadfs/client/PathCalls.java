package io.steadfs.client;

import com.google.protobuf.MessageLite;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.write.RecordedCalls;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends requests about one path. The walk along the path begins at the root.
 *
 * @param courier sends requests that change nothing
 * @param recorded sends requests that change something
 * @param traces gives each operation its trace id
 */
record PathCalls(Courier courier, RecordedCalls recorded, TraceIds traces) {
    Operation operation(Object about) {
        return traces.operation(about);
    }

    /** Sends a request that changes nothing. */
    <T extends MessageLite> Answer<T> ask(
            Operation operation,
            Kind kind,
            String step,
            FsPath path,
            Class<T> reply,
            Function<Location, MessageLite> body) {
        return new Answer<>(courier.ask(operation, Question.walk(kind, step, path.relative(), body)), reply);
    }

    /** Sends a request that changes nothing, as an operation of its own. Empty if nothing exists at the path. */
    CompletableFuture<Optional<Reply>> find(Kind kind, String step, FsPath path, Function<Location, MessageLite> body) {
        return courier.find(operation(path), Question.walk(kind, step, path.relative(), body));
    }

    /** Sends a request that changes something. The change is an operation of its own, with a new trace id. */
    <T extends MessageLite> Answer<T> change(
            Kind kind, String step, FsPath path, Class<T> reply, Function<Location, MessageLite> body) {
        Question question = Question.walk(kind, step, path.relative(), body);
        return new Answer<>(Futures.map(recorded.ask(operation(path), question), RecordedCalls.Recorded::reply), reply);
    }

    /**
     * The future of a reply, and the type of the reply's body. Each method of this record releases the reply's payload.
     */
    record Answer<T extends MessageLite>(CompletableFuture<Reply> reply, Class<T> type) {
        CompletableFuture<Void> done() {
            return Futures.done(reply, answer -> answer.payload().release());
        }

        <R> CompletableFuture<R> then(Futures.Step<T, CompletableFuture<R>> step) {
            return Futures.then(thenApply(body -> body), step);
        }

        <R> CompletableFuture<R> thenApply(Futures.Step<T, R> step) {
            return Futures.map(reply, answer -> {
                T body = answer.body(type);
                answer.payload().release();
                return step.apply(body);
            });
        }
    }
}
