package io.steadfs.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parts that were opened while a server was put together. They are closed in reverse order. Not thread-safe. */
public final class OpenedParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Takes over the part and returns it. */
    public <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts, newest first. A failure of one is logged and does not affect the others. Closing twice is harmless. */
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
