package io.steadfs.mds.call;

import java.util.Optional;

/** Says what a {@link Pursuit} works for. Two pursuits with equal keys work for the same thing. */
sealed interface PursuitKey {
    /** The key under which an intent is kept; empty if nothing may be held for the pursuit. */
    Optional<OfRequest> ofIntent();

    /**
     * A request of a client. The row of an intent carries the key, so a retry finds in the store that an earlier try is
     * under way.
     */
    record OfRequest(long session, long requestId) implements PursuitKey {
        @Override
        public Optional<OfRequest> ofIntent() {
            return Optional.of(this);
        }
    }

    /**
     * A command of a duty. A restart forgets the pursuit.
     *
     * @param duty name of the duty
     * @param subject what the duty works on, as the log names it
     * @param attempt number of the attempt, from 1; each attempt of a duty has another number
     * @param held number under which intents for the subject are kept, in place of a request id of session 0; 0 = the
     *     command needs nothing held
     */
    record OfDuty(String duty, String subject, long attempt, long held) implements PursuitKey {
        @Override
        public Optional<OfRequest> ofIntent() {
            return held == 0 ? Optional.empty() : Optional.of(new OfRequest(0, held));
        }

        @Override
        public String toString() {
            return duty + " of " + subject + ", attempt " + attempt;
        }
    }
}
