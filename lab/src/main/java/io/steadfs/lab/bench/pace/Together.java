package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts all clients at the same time, with a thread for each client, and waits until the last client is done. */
public final class Together implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The work that each client does. */
    public interface Work<T> {
        void of(T client) throws IOException;
    }

    /**
     * Lets all clients do the work. Returns the seconds from the moment when all threads are ready until all clients
     * are done.
     */
    public <T> double seconds(List<T> clients, Work<T> work) throws IOException, InterruptedException {
        CountDownLatch ready = new CountDownLatch(clients.size());
        CountDownLatch begin = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (T client : clients) {
            running.add(threads.submit(() -> {
                ready.countDown();
                begin.await();
                work.of(client);
                return null;
            }));
        }
        ready.await();
        long begun = System.nanoTime();
        begin.countDown();
        for (Future<?> each : running) {
            await(each);
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void await(Future<?> work) throws IOException, InterruptedException {
        try {
            work.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw new IOException("a client failed: " + cause.getMessage(), cause);
            }
            throw new CompletionException(e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
