package io.steadfs.mds.call;

/** Says what a {@link Pursuit} works for. Two pursuits with equal keys work for the same thing. */
sealed interface PursuitKey {
    /**
     * A request of a client. The row of an intent carries the key, so a retry finds in the store that an earlier try is
     * under way.
     */
    record OfRequest(long session, long requestId) implements PursuitKey {}

    /**
     * A command of a duty. No row carries the key, so a restart forgets the pursuit.
     *
     * @param duty name of the duty
     * @param subject what the duty works on, as the log names it
     * @param attempt number of the attempt, from 1; each attempt of a duty has another number
     */
    record OfDuty(String duty, String subject, long attempt) implements PursuitKey {
        @Override
        public String toString() {
            return duty + " of " + subject + ", attempt " + attempt;
        }
    }
}
