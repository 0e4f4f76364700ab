package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Sends one request to one server at a known address, and waits for the answer. There is no retry. Operators' tools use
 * this class, and report which servers did not answer.
 */
public final class DirectQuestion {
    private DirectQuestion() {}

    /**
     * Sends the request and waits for the answer.
     *
     * @param name name of the server, for the message of an error
     * @param header header of the request, whose kind is not yet set
     * @param timeoutMillis longest wait for the answer, in milliseconds
     * @throws FsException if the server refuses the request or does not answer; the message names the server and the
     *     address
     */
    public static <T extends MessageLite> T ask(
            Transport transport,
            String name,
            ServerAddress address,
            Kind kind,
            RequestHeader.Builder header,
            MessageLite body,
            Class<T> reply,
            long timeoutMillis)
            throws FsException {
        return begin(transport, name, address, kind, header, body, reply, timeoutMillis)
                .await();
    }

    /**
     * Sends the request as {@link #ask} does, but does not wait for the answer. So a caller can ask several servers at
     * once.
     */
    public static <T extends MessageLite> Begun<T> begin(
            Transport transport,
            String name,
            ServerAddress address,
            Kind kind,
            RequestHeader.Builder header,
            MessageLite body,
            Class<T> reply,
            long timeoutMillis) {
        RequestHeader whole = header.setKind(kind.number()).build();
        CompletableFuture<Reply> answer =
                transport.send(address, new Request(kind, whole, body, Payload.EMPTY), timeoutMillis);
        return () -> await(answer, name, address, reply);
    }

    /** A request that was sent and may not be answered yet. */
    public interface Begun<T> {
        /**
         * @throws FsException if the server refuses the request or does not answer; the message names the server and
         *     the address
         */
        T await() throws FsException;
    }

    private static <T extends MessageLite> T await(
            CompletableFuture<Reply> answer, String name, ServerAddress address, Class<T> reply) throws FsException {
        try {
            return answer.join().body(reply);
        } catch (FsException e) {
            throw new FsException(e.error(), name + " at " + address + ": " + e.wordsAbout(address.toString()), e);
        } catch (CompletionException e) {
            throw new FsException(FsError.FAULT, "asking " + name + " at " + address + ": " + e, e);
        }
    }
}
