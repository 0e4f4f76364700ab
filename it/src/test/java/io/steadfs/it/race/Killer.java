package io.steadfs.it.race;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.it.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Kills a metadata server every so many rounds and starts it again, or has it stand still for longer than a term of
 * copies; one at a time, beside the rounds.
 */
final class Killer implements AutoCloseable {
    static final long TERM_MILLIS = 1_000;

    /** In a short run, once for each kind of race. */
    private static final int EVERY_ROUNDS = Math.max(Races.ROUNDS / 50, 200);

    private static final int KINDS = 3;
    private static final long END_SECONDS = 120;

    private final ProcessCluster cluster;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final List<Future<?>> done = new ArrayList<>();
    private int count;

    Killer(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    synchronized void round(int number) {
        if (number % EVERY_ROUNDS == EVERY_ROUNDS / 2) {
            int next = count++;
            String server = "mds-" + (1 + next / KINDS % 3);
            done.add(thread.submit(() -> {
                if (next % KINDS == 0) {
                    Signals.standStill(cluster.pidOf(server).orElseThrow(), Duration.ofMillis(2 * TERM_MILLIS));
                } else {
                    cluster.killServer(server);
                    cluster.startServer(server);
                }
                return null;
            }));
        }
    }

    /** Returns when every server that was killed serves again. */
    synchronized void awaitServing() {
        for (Future<?> each : done) {
            try {
                each.get(END_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError("a server was not started again: " + e, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        done.clear();
    }

    @Override
    public void close() {
        awaitServing();
        thread.shutdown();
    }
}
