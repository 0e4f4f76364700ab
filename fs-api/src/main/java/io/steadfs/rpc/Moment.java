package io.steadfs.rpc;

/** The moments between the arrival of a request and its reply whose time a server notes. */
public enum Moment {
    /** Work on it begins; of several times the first counts. */
    STARTED,
    /** The durable commit that it waits for begins; of several the last counts. */
    COMMIT_BEGUN,
    /** What was to be durable is. */
    COMMIT_ENDED
}
