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

    /** Stands for the server where none was asked. */
    static final String NOBODY = "";

    public boolean isOk() {
        return reply.isOk();
    }

    /**
     * Whether it is certain that the change was not made, and that no try of this request will ever make it. What a refusal proves depends
     * on who can act on it. After a refusal for the caller or the writer, the shard answers every try alike. A refusal for the operator
     * says nothing about an unanswered try. An expired session says nothing about the tries before it. A refusal that asks for another try
     * says nothing at all. A request is CANCELLED and certain if it was never sent because nobody waited for it any more.
     */
    public boolean isDefiniteRefusal() {
        return switch (reply.error().resolver()) {
            case NOBODY, RETRY, REFRESH -> reply.error() == FsError.CANCELLED && !doubtful;
            case CALLER, WRITER -> reply.error() != FsError.SESSION_EXPIRED;
            case OPERATOR -> !doubtful;
        };
    }

    /** The refusal for people. Its message begins with the operation's subject. */
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

    /** Leaves out the address at the beginning of the client's own messages, because {@link #server} has it too. */
    private String withoutAddress(String message) {
        String prefix = server.substring(server.lastIndexOf(' ') + 1) + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }
}
