package io.steadfs.rpc;

/** The moments between the arrival of a request and its reply whose time a server notes. */
public enum Moment {
    /** Work on the request begins. If noted more than once, the first counts. */
    STARTED,
    /** The durable commit that the request waits for begins. If noted more than once, the last counts. */
    COMMIT_BEGUN,
    /** The commit has ended: its records are durable. */
    COMMIT_ENDED
}
