package io.steadfs.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * Counts the steps of one operation at a time, by watching the messages sent over another transport. A step is a wait that nothing else
 * hides: a message that is sent when {@code n} steps have been answered belongs to step {@code n + 1}.
 *
 * <p>A message that belongs to a {@link #line} counts the answers of its line only. So messages sent together are one step, even where the
 * first is answered before the last is sent. A message that is sent again, in the line of the one before, begins the next step. An answer
 * that comes after its operation ended is not counted. Thread-safe.
 */
public final class StepMeter implements Transport {
    private final Transport transport;
    private long operation;

    /** Highest step of the operation that was answered. */
    private long answered;

    /** Closing this object closes the other transport. */
    public StepMeter(Transport transport) {
        this.transport = transport;
    }

    /** An operation begins, and the count begins at 0. */
    public synchronized void beginOperation() {
        operation++;
        answered = 0;
    }

    /** Steps of the operation that were answered so far. */
    public synchronized long steps() {
        return answered;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        return new Line(transport).send(server, request, timeoutMillis);
    }

    @Override
    public Transport line() {
        return new Line(transport.line());
    }

    @Override
    public void close() {
        transport.close();
    }

    /** Guarded by the lock of the meter. */
    private final class Line implements Transport {
        private final Transport way;
        private final long ofOperation;

        /** Highest step that the next message waits for. */
        private long before;

        Line(Transport way) {
            this.way = way;
            synchronized (StepMeter.this) {
                ofOperation = operation;
                before = answered;
            }
        }

        private Line(Transport way, Line from) {
            this.way = way;
            ofOperation = from.ofOperation;
            before = from.before();
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            long step = before() + 1;
            CompletableFuture<Reply> answer = way.send(server, request, timeoutMillis);
            CompletableFuture<Reply> counted = answer.whenComplete((reply, failure) -> answered(step));
            var unused = counted.whenComplete((reply, failure) -> {
                if (counted.isCancelled()) {
                    answer.cancel(false);
                }
            });
            return counted;
        }

        private long before() {
            synchronized (StepMeter.this) {
                return before;
            }
        }

        private void answered(long step) {
            synchronized (StepMeter.this) {
                before = Math.max(before, step);
                if (ofOperation == operation) {
                    answered = Math.max(answered, step);
                }
            }
        }

        @Override
        public Transport line() {
            return new Line(way.line(), this);
        }

        @Override
        public void close() {}
    }
}
