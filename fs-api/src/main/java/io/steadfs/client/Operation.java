package io.steadfs.client;

/**
 * One user-visible operation, whose messages share a trace id.
 *
 * @param subject what it is about, for messages to people: a path, or two
 */
record Operation(long traceId, String subject) {}
