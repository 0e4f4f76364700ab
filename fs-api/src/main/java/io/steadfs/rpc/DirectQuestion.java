package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A question to one server at a known address, asked once and waited for. Operators' tools use it, and report which servers did not answer. */
public final class DirectQuestion {
    private DirectQuestion() {}

    /**
     * Asks once, without a retry.
     *
     * @param name of the server, for the error
     * @param header without the kind
     * @throws FsException naming server and address if it refuses or does not answer
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

    /** As {@link #ask}, but the answer is waited for later. So several servers can be asked at once. */
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

    /** A question that was sent. */
    public interface Begun<T> {
        /** @throws FsException naming server and address if it refuses or does not answer */
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
