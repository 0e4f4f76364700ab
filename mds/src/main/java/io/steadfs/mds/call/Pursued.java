package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A command that a {@link Pursuit} brings to an answer. The decision of the command may throw
 * {@link io.steadfs.mds.pipeline.Missing}. The command gets one outcome, like a queued command.
 *
 * @param principal the user on whose behalf other shards are asked
 * @param traceId trace id of the messages to other shards; 0 = the messages have none
 * @param done tests whether an answer means that the command was done; other shards then commit what they hold for the
 *     command
 */
record Pursued<A>(PursuitKey key, Command<A> command, Principal principal, long traceId, Predicate<A> done) {
    private static final Principal SERVER = new Principal("", Set.of(), true, 0);

    static Pursued<Reply> ofRequest(Answering answering, Principal principal, RequestCommand command) {
        RequestHeader header = answering.request().header();
        return new Pursued<>(
                new PursuitKey.OfRequest(header.getSession(), header.getRequestId()),
                command,
                principal,
                answering.traceId(),
                reply -> reply.error() == FsError.OK || reply.error() == FsError.CONTINUE);
    }

    static <A> Pursued<A> ofDuty(PursuitKey.OfDuty key, Command<A> command, Predicate<A> done) {
        return new Pursued<>(key, command, SERVER, 0, done);
    }

    @Override
    public String toString() {
        return command.toString();
    }
}
