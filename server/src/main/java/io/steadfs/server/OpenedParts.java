package io.steadfs.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server opened while it was put together, to be closed the other way round. Not thread-safe. */
public final class OpenedParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Takes the part over; returns it. */
    public <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts, newest first; one that fails is logged and harms no other. Closing twice is harmless. */
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
