package io.steadfs.client;

import io.steadfs.client.call.Operation;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives trace ids to a client's operations. The first id is random, and the ids are spread over all 64 bits.
 * Thread-safe.
 */
final class TraceIds {
    private final long first;
    private final AtomicLong operations = new AtomicLong();

    TraceIds(long first) {
        this.first = first;
    }

    long next() {
        return first + operations.incrementAndGet() * 0x9e3779b97f4a7c15L;
    }

    /** Makes a new operation about the given paths, or about something else that has a name. */
    Operation operation(Object about) {
        return new Operation(next(), about);
    }
}
