package io.steadfs.lab.history;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;

/** The answer to a client's request. */
public sealed interface Answer {
    /** @param seen what a look saw; {@link Seen#ANYTHING} for a change */
    record Done(Seen seen) implements Answer {
        @Override
        public String toString() {
            return seen.equals(Seen.ANYTHING) ? "done" : seen.toString();
        }
    }

    /** The server refused the request, and certainly changed nothing. */
    record Refused(FsError error) implements Answer {
        @Override
        public String toString() {
            return error.name();
        }
    }

    /** The outcome is unknown. The server may have done the request, may do the request later, or may never do it. */
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
     * Returns the answer for an error. An error that the caller must resolve is a final refusal. After every other
     * error, the outcome is unknown.
     */
    static Answer failed(FsError error) {
        return error.resolver() == Resolver.CALLER ? new Refused(error) : new Unknown();
    }

    static Answer unknown() {
        return new Unknown();
    }
}
