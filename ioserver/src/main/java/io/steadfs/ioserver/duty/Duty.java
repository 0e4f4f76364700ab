package io.steadfs.ioserver.duty;

/**
 * A background loop of an IO server. The page docs/io-server.md has a row for each duty. A test compares the rows with
 * the classes here.
 */
public interface Duty extends AutoCloseable {
    /** Starts the rounds of the duty. */
    void start();

    /** Stops the duty. No round begins afterwards. */
    @Override
    void close();
}
