package io.steadfs.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the parts of a server that were opened during its start, and closes them in reverse order. Not thread-safe.
 */
public final class OpenedParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds the part, so that {@link #close} will close it, and returns the part. */
    public <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /**
     * Closes all parts, newest first. If a part fails to close, the failure is logged and the other parts are still
     * closed. A second call does nothing.
     */
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception | Error e) {
                LOG.warn("{} was not closed in order", part, e);
            }
        }
    }
}
