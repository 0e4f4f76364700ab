package io.steadfs.client.call;

/** Says whether a client's exceptions for refusals have stack traces. */
public enum Traces {
    /** An exception has the stack trace of the thread that waited for the answer. */
    WANTED,
    /**
     * An exception for a server's refusal has no stack trace. Meant for a caller that throws an exception of its own
     * instead, because the stack trace of that exception says the same. Threads that wait for one answer may get the
     * same exception, so nobody may change it.
     */
    UNWANTED
}
