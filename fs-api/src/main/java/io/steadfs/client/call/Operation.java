package io.steadfs.client.call;

/**
 * One operation of a user. All messages of an operation have the same trace id.
 *
 * @param about one path or two, or something else that the client does; an object whose text is made only for
 *     messages to people
 */
public record Operation(long traceId, Object about) {
    /** Names what it is about in messages to people. */
    public String subject() {
        return about.toString();
    }
}
