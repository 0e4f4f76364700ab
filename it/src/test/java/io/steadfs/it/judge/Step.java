package io.steadfs.it.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A call of one of the users.
 *
 * @param user 0 for the superuser
 * @param closed on a file system that was closed
 */
record Step(int user, boolean closed, Call call) {
    private static final int CLOSED_ONE_IN = 40;
    private static final int USER_ONE_IN = 4;

    static Step random(Choices choices, List<Kind> weighted) {
        Call call = choices.of(weighted).maker().apply(choices);
        boolean closed = choices.oneIn(CLOSED_ONE_IN) && !call.name().startsWith("fc.");
        return new Step(choices.oneIn(USER_ONE_IN) ? 1 : 0, closed, call);
    }

    Answer on(Side side) {
        try {
            Actor actor = side.actor(user);
            return Answer.of(closed ? actor.closed() : actor, call);
        } catch (IOException e) {
            throw new UncheckedIOException("a file system could not be opened", e);
        }
    }

    /** What a kept difference is declared for. */
    String name() {
        return closed ? "closed " + call.name() : call.name();
    }

    @Override
    public String toString() {
        return (user == 0 ? "" : Side.USER + " ") + (closed ? "closed file system " : "") + call;
    }
}
