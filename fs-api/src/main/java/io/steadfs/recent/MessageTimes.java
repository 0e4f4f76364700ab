package io.steadfs.recent;

/**
 * The times of one message, in nanoseconds. They are times of the monotonic clock of the process that noted the
 * message.
 *
 * @param begun when the request was received, or was written to the connection
 * @param started when work on the request began; 0 = not noted
 * @param commitBegun when the last durable commit began that the request waited for; 0 = the request waited for none
 * @param commitEnded when the last durable commit ended; 0 = there was no commit, or the commit failed
 * @param ended when the reply was written to the connection, or arrived
 */
public record MessageTimes(long begun, long started, long commitBegun, long commitEnded, long ended) {
    /** Times of a message that this process sent. */
    public static MessageTimes sent(long begun, long ended) {
        return new MessageTimes(begun, 0, 0, 0, ended);
    }

    /** Whether the request waited for a durable commit that ended. */
    public boolean hasCommit() {
        return commitBegun != 0 && commitEnded != 0;
    }
}
