package io.steadfs.it.race;

import java.util.List;

/** What became of the two attempts: {@value #DONE}, or the name of the error. */
record Outcome(String first, String second) {
    static final String DONE = "done";

    boolean done(int client) {
        return of(client).equals(DONE);
    }

    String of(int client) {
        return client == 0 ? first : second;
    }

    /** The only client that is done. */
    int winner() {
        if (done(0) == done(1)) {
            throw new AssertionError("one of the two must be done: " + this);
        }
        return done(0) ? 0 : 1;
    }

    /** One is done, and the other was told one of these. */
    int winnerWhereTheOtherIsTold(String... errors) {
        int winner = winner();
        if (!List.of(errors).contains(of(1 - winner))) {
            throw new AssertionError("the loser must be told one of " + List.of(errors) + ": " + this);
        }
        return winner;
    }

    @Override
    public String toString() {
        return first + " / " + second;
    }
}
