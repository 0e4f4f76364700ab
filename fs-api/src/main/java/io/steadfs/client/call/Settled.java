package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * The outcome of one request, after all tries.
 *
 * @param reply the server's answer, or the failure of the last try
 * @param from who gave the reply, or was to give it
 * @param doubtful whether a server may have executed an earlier try whose answer the client never got
 */
public record Settled(Reply reply, Answerer from, boolean doubtful) {

    public boolean isOk() {
        return reply.isOk();
    }

    /**
     * Whether no try of this request made the change, and no try ever will. The certainty depends on the error and on
     * the resolver of the error:
     *
     * <ul>
     * <li>CALLER or WRITER: the shard gives every try the same answer, so the refusal is definite.
     * <li>SESSION_EXPIRED: an earlier try may have made the change before the session expired.
     * <li>OPERATOR: the refusal is definite if every try was answered. An unanswered try may have made the change.
     * <li>RETRY or REFRESH: the refusal is not definite, because another try may succeed.
     * <li>CANCELLED: the refusal is definite if every try was answered, because then no server can execute the request.
     * </ul>
     */
    public boolean isDefiniteRefusal() {
        return switch (reply.error().resolver()) {
            case NOBODY, RETRY, REFRESH -> reply.error() == FsError.CANCELLED && !doubtful;
            case CALLER, WRITER -> reply.error() != FsError.SESSION_EXPIRED;
            case OPERATOR -> !doubtful;
        };
    }

    /** The reply, if the server did what the question asks. If not, throws the refusal. */
    public Reply orThrow(Operation operation, Question question) throws FsException {
        if (!isOk()) {
            throw refusal(operation, question);
        }
        return reply;
    }

    /**
     * Makes the exception for the user, and releases the reply's payload. The message begins with the operation's
     * subject.
     */
    public FsException refusal(Operation operation, Question question) {
        reply.payload().release();
        String message = withoutAddress(reply.header().getMessage());
        String said = message.isEmpty() ? "" : ": " + message;
        boolean retried =
                reply.error().resolver() == Resolver.RETRY || reply.error().resolver() == Resolver.REFRESH;
        if (from.isNobody()) {
            return FsException.answered(reply.error(), operation.subject() + said);
        }
        if (retried && doubtful && question.kind().target() == Kind.Target.MDS_RECORDED) {
            return FsException.answered(
                    FsError.TIMED_OUT,
                    operation.subject() + ": " + question.step() + " was not answered in time by " + from
                            + "; whether it was done is not known; last answer " + reply.error() + said);
        }
        if (retried) {
            return FsException.answered(
                    reply.error(),
                    operation.subject() + ": " + question.step() + " not done in time by " + from + said);
        }
        if (reply.error() == FsError.SESSION_EXPIRED && doubtful) {
            return FsException.answered(
                    FsError.SESSION_EXPIRED,
                    operation.subject() + ": the session ended before " + question.step()
                            + " was answered; whether it was done is not known" + said);
        }
        String words = message.contains(operation.subject()) ? message : operation.subject() + said;
        if (reply.error() == FsError.UNRESOLVED_LINK) {
            ReplyHeader header = reply.header();
            return new LinkException(words, header.getLinkTarget(), header.getLinkRest(), header.getLinkOfTarget());
        }
        return FsException.answered(reply.error(), words);
    }

    /**
     * Removes the server's address from the beginning of the message, because {@link #from} contains the address too.
     */
    private String withoutAddress(String message) {
        String name = from.toString();
        String prefix = name.substring(name.lastIndexOf(' ') + 1) + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }
}
