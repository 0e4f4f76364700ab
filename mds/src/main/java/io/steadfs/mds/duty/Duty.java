package io.steadfs.mds.duty;

/** A background loop of a shard. */
public interface Duty {
    /** Starts the rounds. The first one comes soon. */
    void start();

    /** Keeps the duty from starting anything more. */
    void stop();
}
