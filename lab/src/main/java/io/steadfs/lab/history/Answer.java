package io.steadfs.lab.history;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;

/** The answer that the client got. */
public sealed interface Answer {
    /** @param seen what a look has shown; {@link Seen#ANYTHING} for a change */
    record Done(Seen seen) implements Answer {
        @Override
        public String toString() {
            return seen.equals(Seen.ANYTHING) ? "done" : seen.toString();
        }
    }

    /** The operation was refused, and has certainly changed nothing. */
    record Refused(FsError error) implements Answer {
        @Override
        public String toString() {
            return error.name();
        }
    }

    /** The outcome is unknown. The operation may have been done, may be done later, or may never be done. */
    record Unknown() implements Answer {
        @Override
        public String toString() {
            return "outcome unknown";
        }
    }

    static Answer done() {
        return new Done(Seen.ANYTHING);
    }

    static Answer saw(Seen seen) {
        return new Done(seen);
    }

    /**
     * Converts an error to an answer. If the caller must resolve the error, the operation was refused. For all other
     * errors, the outcome is unknown.
     */
    static Answer failed(FsError error) {
        return error.resolver() == Resolver.CALLER ? new Refused(error) : new Unknown();
    }

    static Answer unknown() {
        return new Unknown();
    }
}
