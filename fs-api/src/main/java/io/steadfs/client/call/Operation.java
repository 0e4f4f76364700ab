package io.steadfs.client.call;

/**
 * One user-visible operation, whose messages share a trace id.
 *
 * @param subject what it is about, for messages to people: a path, or two
 */
public record Operation(long traceId, String subject) {}
