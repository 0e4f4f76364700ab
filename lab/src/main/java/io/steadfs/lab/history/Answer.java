package io.steadfs.lab.history;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;

/** What the client was told. */
public sealed interface Answer {
    /** @param seen what a look showed; {@link Seen#ANYTHING} of a change */
    record Done(Seen seen) implements Answer {
        @Override
        public String toString() {
            return seen.equals(Seen.ANYTHING) ? "done" : seen.toString();
        }
    }

    /** Nothing was changed, for certain. */
    record Refused(FsError error) implements Answer {
        @Override
        public String toString() {
            return error.name();
        }
    }

    /** It may have been done, may be done later, or never. */
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

    /** By who resolves it: what a caller must resolve was refused for good, of all else the outcome is unknown. */
    static Answer failed(FsError error) {
        return error.resolver() == Resolver.CALLER ? new Refused(error) : new Unknown();
    }

    static Answer unknown() {
        return new Unknown();
    }
}
