package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;

/**
 * The servers that run at the moment, one set after the other. If this is a step of an outer cleanup, the outer cleanup
 * ends the servers before it removes their folder, even if a user stops the process.
 */
final class RunningSystems implements AutoCloseable {
    private Cleanup present = new Cleanup();
    private boolean closed;

    RunningSystems() {}

    /** A cleanup for servers that are about to start. The caller closes it when the servers are to end. */
    synchronized Cleanup begin() {
        present = new Cleanup();
        if (closed) {
            present.close();
        }
        return present;
    }

    @Override
    public void close() {
        Cleanup last;
        synchronized (this) {
            closed = true;
            last = present;
        }
        last.close();
    }
}
