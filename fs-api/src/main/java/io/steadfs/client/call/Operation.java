package io.steadfs.client.call;

/**
 * One user-visible operation, whose messages share a trace id.
 *
 * @param subject what the operation is about, for messages to people: one path or two
 */
public record Operation(long traceId, String subject) {}
