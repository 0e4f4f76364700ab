package io.steadfs.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * Counts the steps of one operation at a time. To count, the meter watches the messages that are sent over another
 * transport. A step is one wait for answers of servers: messages that are under way together are one step. If {@code n}
 * steps were answered before a message is sent, the message belongs to step {@code n + 1}.
 *
 * <p>For a message of a {@link #line}, only the answers of the same line count. So messages that are sent together are
 * one step, even if the first is answered before the last is sent. A retry in the same line begins the next step. If an
 * answer arrives after the operation has ended, the answer is not counted. Thread-safe.
 */
public final class StepMeter implements Transport {
    private final Transport transport;
    private long operation;

    /** Number of the last step of the operation that was answered. */
    private long answered;

    /** Makes a meter that sends messages over the given transport. Closing the meter closes that transport too. */
    public StepMeter(Transport transport) {
        this.transport = transport;
    }

    /** Notes that an operation begins. The count of steps begins at 0. */
    public synchronized void beginOperation() {
        operation++;
        answered = 0;
    }

    /** Number of steps of the operation that were answered so far. */
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

    /** A line of messages whose steps are counted. The fields are guarded by the lock of the meter. */
    private final class Line implements Transport {
        private final Transport way;
        private final long ofOperation;

        /** Number of the step that was answered before the next message of this line. */
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
