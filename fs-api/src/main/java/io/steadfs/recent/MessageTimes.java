package io.steadfs.recent;

/**
 * When what happened to one message, by the monotonic clock of the process that noted it, in nanoseconds.
 *
 * @param begun received, or written to the connection
 * @param started work on it began; 0 = not noted
 * @param commitBegun the durable commit that it waited for last; 0 = none
 * @param commitEnded 0 = none, or it failed
 * @param ended the reply was written to the connection, or came
 */
public record MessageTimes(long begun, long started, long commitBegun, long commitEnded, long ended) {
    /** Of a message as its sender sees it. */
    public static MessageTimes sent(long begun, long ended) {
        return new MessageTimes(begun, 0, 0, 0, ended);
    }

    /** Whether it waited for a commit that came to its end. */
    public boolean hasCommit() {
        return commitBegun != 0 && commitEnded != 0;
    }
}
