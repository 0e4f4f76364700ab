package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * The answer to one {@link Request}.
 *
 * @param error {@link FsError#OK} or why not; agrees with {@code header.error}
 * @param body of the kind's reply type; its default instance where {@code error} is not OK
 * @param payload owned by whoever holds the reply
 */
public record Reply(FsError error, ReplyHeader header, MessageLite body, Payload payload) {
    /** Longest message of a refusal. It may quote the request. The header of a frame must have room for the paths beside it. */
    private static final int MOST_MESSAGE_CHARACTERS = 6_000;

    /** A reply of success, without payload. */
    public static Reply ok(MessageLite body) {
        return ok(body, Payload.EMPTY);
    }

    /** A reply of success. Takes over the payload. */
    public static Reply ok(MessageLite body, Payload payload) {
        return new Reply(FsError.OK, ReplyHeader.getDefaultInstance(), body, payload);
    }

    /** A refusal. The message names the object and the value. A very long message is cut. */
    public static Reply refused(Kind kind, FsError error, String message) {
        return refused(kind, error, ReplyHeader.newBuilder().setMessage(message));
    }

    /** A refusal with more in the header than a message: where to go on, or a map. */
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
     * The body, if the request was done. Otherwise releases the payload and throws.
     *
     * @throws FsException with the error and message of the reply
     */
    public <T extends MessageLite> T body(Class<T> type) throws FsException {
        if (!isOk()) {
            payload.release();
            throw new FsException(error, header.getMessage());
        }
        return type.cast(body);
    }
}
