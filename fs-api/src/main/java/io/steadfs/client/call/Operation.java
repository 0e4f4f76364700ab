package io.steadfs.client.call;

/**
 * One operation of a user. All messages of an operation have the same trace id.
 *
 * @param subject one path or two, named in messages to people
 */
public record Operation(long traceId, String subject) {}
