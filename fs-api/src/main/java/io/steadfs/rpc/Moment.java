package io.steadfs.rpc;

/**
 * Moments of a request's processing, whose times a server notes. All of them lie between the request's arrival and the
 * reply.
 */
public enum Moment {
    /** Work on the request begins. If a server notes this moment more than once, the first time counts. */
    STARTED,
    /**
     * A durable commit that the request waits for begins. If a server notes this moment more than once, the last time
     * counts.
     */
    COMMIT_BEGUN,
    /** The durable commit has ended, and its records are durable. */
    COMMIT_ENDED
}
