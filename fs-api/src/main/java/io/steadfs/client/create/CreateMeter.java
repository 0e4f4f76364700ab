package io.steadfs.client.create;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.StepMeter;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Counts the messages and {@link StepMeter steps} of one create. Repeated messages count too. Thread-safe. */
public final class CreateMeter implements Transport {
    private final StepMeter meter;
    private final LongAdder messages = new LongAdder();

    public CreateMeter(Transport transport) {
        this.meter = new StepMeter(transport);
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        messages.increment();
        return meter.send(server, request, timeoutMillis);
    }

    @Override
    public Transport line() {
        return new Line(meter.line());
    }

    long messages() {
        return messages.sum();
    }

    /** Number of steps that servers have answered so far. */
    long steps() {
        return meter.steps();
    }

    @Override
    public void close() {}

    private final class Line implements Transport {
        private final Transport way;

        Line(Transport way) {
            this.way = way;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            messages.increment();
            return way.send(server, request, timeoutMillis);
        }

        @Override
        public Transport line() {
            return new Line(way.line());
        }

        @Override
        public void close() {}
    }
}
