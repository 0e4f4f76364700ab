package io.steadfs.it.race;

import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Runs rounds, several side by side, each by two threads that start at the same moment. */
final class Lanes implements AutoCloseable {
    private static final int LANES = 16;
    private static final long START_SECONDS = 60;

    private final List<SteadFs> clients;
    private final ExecutorService threads = Executors.newFixedThreadPool(2 * LANES);

    /** @param clients the two */
    Lanes(List<SteadFs> clients) {
        this.clients = clients;
    }

    /**
     * What all rounds came to.
     *
     * @param outcomes how many rounds ended so
     * @param left what they left, by path
     * @param longestMillis of one attempt
     */
    record Result(Map<String, Integer> outcomes, Map<FsPath, Handle> left, long longestMillis) {}

    /** @throws AssertionError naming the first round that ended as it must not */
    Result run(int rounds, Contest contest) throws InterruptedException {
        Rounds running = new Rounds(rounds, contest);
        List<Future<?>> lanes = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            lanes.add(threads.submit(running::lane));
        }
        AssertionError failure = null;
        for (Future<?> lane : lanes) {
            try {
                lane.get();
            } catch (ExecutionException e) {
                AssertionError another = new AssertionError(String.valueOf(e.getCause()), e.getCause());
                if (failure == null) {
                    failure = another;
                } else {
                    failure.addSuppressed(another);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        Map<FsPath, Handle> left = new TreeMap<>(Comparator.comparing(FsPath::toString));
        left.putAll(running.left);
        return new Result(running.outcomes, left, running.longest.get() / 1_000_000);
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    /** The rounds of one contest. */
    private final class Rounds {
        private final int count;
        private final Contest contest;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicLong longest = new AtomicLong();
        private final Map<String, Integer> outcomes = new ConcurrentSkipListMap<>();
        private final Map<FsPath, Handle> left = new ConcurrentHashMap<>();

        Rounds(int count, Contest contest) {
            this.count = count;
            this.contest = contest;
        }

        /** One round after the other, until none is left or one failed. */
        void lane() {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                try {
                    one(number);
                } catch (Exception | AssertionError e) {
                    next.set(count);
                    throw new IllegalStateException("round " + number + ": " + e, e);
                }
            }
        }

        private void one(int number) throws Exception {
            Contest.Round round = contest.prepare(number);
            CyclicBarrier start = new CyclicBarrier(2);
            Future<String> second = threads.submit(() -> attempt(round, 1, start));
            Outcome outcome;
            try {
                outcome = new Outcome(attempt(round, 0, start), second.get());
            } finally {
                second.cancel(true);
            }
            try {
                left.putAll(round.end(outcome));
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("after " + outcome + ": " + e.getMessage(), e);
            }
            outcomes.merge(outcome.toString(), 1, Integer::sum);
        }

        private String attempt(Contest.Round round, int client, CyclicBarrier start) throws Exception {
            start.await(START_SECONDS, TimeUnit.SECONDS);
            long began = System.nanoTime();
            try {
                round.by(clients.get(client), client);
                return Outcome.DONE;
            } catch (FsException e) {
                return e.error().name();
            } finally {
                longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            }
        }
    }
}
