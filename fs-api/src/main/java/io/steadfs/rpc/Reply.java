package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * The answer to one {@link Request}.
 *
 * @param error {@link FsError#OK}, or the reason of a refusal; equal to {@code header.error}
 * @param body body of the kind's reply type; empty if {@code error} is not OK
 * @param payload payload of the reply; whoever holds the reply owns the payload
 */
public record Reply(FsError error, ReplyHeader header, MessageLite body, Payload payload) {
    /**
     * Largest number of characters of a refusal's message. A message may quote the request. The header of the reply's
     * frame must have room for the message and for paths.
     */
    private static final int MOST_MESSAGE_CHARACTERS = 6_000;

    /** Makes a reply of success without payload. */
    public static Reply ok(MessageLite body) {
        return ok(body, Payload.EMPTY);
    }

    /** Makes a reply of success. The payload then belongs to the reply. */
    public static Reply ok(MessageLite body, Payload payload) {
        return new Reply(FsError.OK, ReplyHeader.getDefaultInstance(), body, payload);
    }

    /** Makes a refusal. The message names the object and the value. A very long message is cut. */
    public static Reply refused(Kind kind, FsError error, String message) {
        return refused(kind, error, ReplyHeader.newBuilder().setMessage(message));
    }

    /** Makes a refusal whose header has more than a message: a place to go on, or a partition map. */
    public static Reply refused(Kind kind, FsError error, ReplyHeader.Builder header) {
        String message = header.getMessage();
        if (message.length() > MOST_MESSAGE_CHARACTERS) {
            header.setMessage(cut(message));
        }
        return new Reply(error, header.setError(error.code()).build(), kind.emptyReply(), Payload.EMPTY);
    }

    private static String cut(String message) {
        int last = MOST_MESSAGE_CHARACTERS - 1;
        int end = Character.isHighSurrogate(message.charAt(last)) ? last : last + 1;
        return message.substring(0, end) + "... (" + message.length() + " characters)";
    }

    public boolean isOk() {
        return error == FsError.OK;
    }

    /**
     * Returns the body of a reply of success. If the reply is a refusal, releases the payload and throws.
     *
     * @throws FsException with the error and the message of a refusal
     */
    public <T extends MessageLite> T body(Class<T> type) throws FsException {
        if (!isOk()) {
            payload.release();
            throw new FsException(error, header.getMessage());
        }
        return type.cast(body);
    }
}
