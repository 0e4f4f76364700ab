package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;

/**
 * How one request ended.
 *
 * @param reply the server's answer, or the last try's failure
 * @param server that gave the reply, for messages; {@link #NOBODY} where none was asked
 * @param doubtful an earlier try may have been executed, and we do not know its outcome
 */
public record Settled(Reply reply, String server, boolean doubtful) {

    /** In the place of a server where none was asked. */
    static final String NOBODY = "";

    public boolean isOk() {
        return reply.isOk();
    }

    /**
     * Whether it is certain that the change was not made and never will be by a try of this request. The shard answers
     * every try alike once it answered one for the caller or the writer to act on. One for the operator says nothing of a
     * try that was not answered, an expired session nothing of those before, and what asks for another try nothing at all.
     * A request that was never sent, because nobody waited for it any more, is CANCELLED.
     */
    public boolean isDefiniteRefusal() {
        return switch (reply.error().resolver()) {
            case NOBODY, RETRY, REFRESH -> reply.error() == FsError.CANCELLED && !doubtful;
            case CALLER, WRITER -> reply.error() != FsError.SESSION_EXPIRED;
            case OPERATOR -> !doubtful;
        };
    }

    /** The refusal for people; its message begins with the operation's subject. */
    public FsException refusal(Operation operation, Question question) {
        reply.payload().release();
        String message = withoutAddress(reply.header().getMessage());
        String said = message.isEmpty() ? "" : ": " + message;
        boolean retried =
                reply.error().resolver() == Resolver.RETRY || reply.error().resolver() == Resolver.REFRESH;
        if (server.equals(NOBODY)) {
            return FsException.answered(reply.error(), operation.subject() + said);
        }
        if (retried && doubtful && question.kind().target() == Kind.Target.MDS_RECORDED) {
            return FsException.answered(
                    FsError.TIMED_OUT,
                    operation.subject() + ": " + question.step() + " was not answered in time by " + server
                            + "; whether it was done is not known; last answer " + reply.error() + said);
        }
        if (retried) {
            return FsException.answered(
                    reply.error(),
                    operation.subject() + ": " + question.step() + " not done in time by " + server + said);
        }
        if (reply.error() == FsError.SESSION_EXPIRED && doubtful) {
            return FsException.answered(
                    FsError.SESSION_EXPIRED,
                    operation.subject() + ": the session ended before " + question.step()
                            + " was answered; whether it was done is not known" + said);
        }
        return FsException.answered(
                reply.error(), message.contains(operation.subject()) ? message : operation.subject() + said);
    }

    /** What the client says of a server begins with its address, which {@link #server} has too. */
    private String withoutAddress(String message) {
        String prefix = server.substring(server.lastIndexOf(' ') + 1) + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }
}
