package io.steadfs.ioserver.duty;

/** A background loop of an IO server. docs/io-server.md has a row for each, which a test compares with the classes here. */
public interface Duty extends AutoCloseable {
    /** Begins the rounds. */
    void start();

    /** No round begins after this. */
    @Override
    void close();
}
