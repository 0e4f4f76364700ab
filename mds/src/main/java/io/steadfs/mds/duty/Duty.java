package io.steadfs.mds.duty;

/** A background loop of a shard. */
public interface Duty {
    /** Starts the rounds. The first round comes soon. */
    void start();

    /** Stops the duty. The duty starts nothing more afterwards. */
    void stop();
}
