package io.steadfs.admin;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.concurrent.CompletionException;

/** Asks one server for its own status. */
public final class StatusOf {
    private static final long TIMEOUT_MILLIS = 8_000;

    private StatusOf() {}

    /**
     * Asks once, without a retry.
     *
     * @param name the server's name, for messages
     * @throws FsException naming the server and its address if there is no answer
     */
    public static StatusReply server(Transport transport, String name, ServerAddress address) throws FsException {
        Request request = new Request(
                Kind.STATUS,
                RequestHeader.newBuilder()
                        .setKind(Kind.STATUS.number())
                        .setStep("status")
                        .build(),
                StatusRequest.getDefaultInstance(),
                Payload.EMPTY);
        try {
            return transport.send(address, request, TIMEOUT_MILLIS).join().body(StatusReply.class);
        } catch (FsException e) {
            throw new FsException(
                    e.error(), name + " at " + address + " does not answer: " + e.wordsAbout(address.toString()), e);
        } catch (CompletionException e) {
            throw new FsException(FsError.FAULT, "asking " + name + " at " + address + ": " + e.getMessage(), e);
        }
    }
}
