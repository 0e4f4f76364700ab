package io.steadfs.it.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * Something that goes wrong at a moment, apart from {@link CrashPoints}.
 *
 * @param target number of the server or client among all of its sort
 * @param other of whatever else it is about
 * @param forMillis until it is over
 */
record Fault(Kind kind, int target, int other, long atMillis, long forMillis) {
    enum Kind {
        /** A server loses power. */
        SERVER_CRASH,
        /** All servers lose power at once. */
        POWER_LOSS,
        CLIENT_CRASH,
        SERVER_STOP,
        CLIENT_STOP,
        /** Its session with ZooKeeper ends. */
        SESSION_EXPIRES,
        /** Messages are lost, doubled and late. */
        BAD_NETWORK,
        /** A server and a client, or a server, do not hear of each other. */
        CUT,
        CLOCK_JUMP,
        DISK_FULL,
        /** The disk refuses one commit. */
        DISK_FAILS,
        /** Commits of a server take long, one after the other. */
        SLOW_DISK,
        /** Answers with copies of directories come late, and nothing else. */
        LATE_COPIES,
        /** The wall clock of a server, or of a client behind those, jumps by an hour: forth for an even other, else back. */
        HOUR_JUMP;

        /** What every {@link Plan} has of itself; the others are of some mixes, or are added. */
        static final List<Kind> BY_CHANCE = Stream.of(values())
                .filter(kind -> kind != HOUR_JUMP && kind != LATE_COPIES)
                .toList();
    }

    /** The same of two others; metadata servers have the first numbers. */
    Fault between(int newTarget, int newOther) {
        return new Fault(kind, newTarget, newOther, atMillis, forMillis);
    }

    @Override
    public String toString() {
        return "at " + atMillis + " ms " + kind + " of " + target + (kind == Kind.CUT ? " from " + other : "") + " for "
                + forMillis + " ms";
    }
}
