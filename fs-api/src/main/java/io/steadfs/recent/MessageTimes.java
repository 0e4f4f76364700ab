package io.steadfs.recent;

/**
 * The times of one message, in nanoseconds of the monotonic clock of the process that noted it.
 *
 * @param begun received, or written to the connection
 * @param started work on it began; 0 = not noted
 * @param commitBegun the last durable commit that it waited for began; 0 = none
 * @param commitEnded that commit ended; 0 = none, or it failed
 * @param ended the reply was written to the connection, or it arrived
 */
public record MessageTimes(long begun, long started, long commitBegun, long commitEnded, long ended) {
    /** Times of a message as its sender sees it. */
    public static MessageTimes sent(long begun, long ended) {
        return new MessageTimes(begun, 0, 0, 0, ended);
    }

    /** Whether it waited for a commit, and that commit ended. */
    public boolean hasCommit() {
        return commitBegun != 0 && commitEnded != 0;
    }
}
