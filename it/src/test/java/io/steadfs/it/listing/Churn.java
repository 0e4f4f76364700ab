package io.steadfs.it.listing;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Threads that make, remove and rename names of one directory all the time. How many names it has follows a share that
 * changes with time.
 */
final class Churn implements AutoCloseable {
    static final int THREADS = 24;

    private final FsPath directory;
    private final Lives lives;
    /** Names that are replaced by renames onto them, and so are always there. */
    private final List<String> replaced;

    private final int most;
    private final DoubleSupplier share;
    private final AtomicLong operations = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean over;

    /**
     * @param most number of names at a share of 1
     * @param share how many of them to have now, from 0 to 1
     */
    Churn(FsPath directory, Lives lives, List<String> replaced, int most, DoubleSupplier share) {
        this.directory = directory;
        this.lives = lives;
        this.replaced = replaced;
        this.most = most;
        this.share = share;
    }

    /** @param clients the threads share them out */
    void start(List<SteadFs> clients, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < THREADS; i++) {
            Worker worker = new Worker(i, clients.get(i % clients.size()), random.split());
            running.add(threads.submit(() -> {
                worker.run();
                return null;
            }));
        }
    }

    long operations() {
        return operations.get();
    }

    /** Throws what an operation failed with, if one did. */
    void requireNoFailure() throws ExecutionException, InterruptedException {
        for (Future<?> each : running) {
            if (each.isDone()) {
                each.get();
            }
        }
    }

    /** Ends the operations, and returns when none is under way. */
    void end() throws ExecutionException, InterruptedException {
        over = true;
        for (Future<?> each : running) {
            each.get();
        }
    }

    @Override
    public void close() {
        over = true;
        threads.shutdown();
    }

    /** One thread, with names of its own. */
    private final class Worker {
        private final int number;
        private final SteadFs fs;
        private final SplittableRandom random;
        private final List<String> names = new ArrayList<>();
        private int count;

        Worker(int number, SteadFs fs, SplittableRandom random) {
            this.number = number;
            this.fs = fs;
            this.random = random;
        }

        void run() throws IOException {
            while (!over) {
                double wanted = share.getAsDouble() * most / THREADS;
                int chance = random.nextInt(100);
                if (!names.isEmpty() && chance < 15) {
                    rename();
                } else if (!names.isEmpty() && chance < 20) {
                    replace();
                } else if (names.size() < wanted ? names.isEmpty() || chance < 85 : names.isEmpty()) {
                    make();
                } else {
                    remove();
                }
                operations.incrementAndGet();
            }
        }

        private String next() {
            return "n" + number + "-" + count++;
        }

        private String any() {
            return names.get(random.nextInt(names.size()));
        }

        private void make() throws IOException {
            String name = next();
            lives.making(name);
            FsPath path = directory.child(name);
            switch (random.nextInt(4)) {
                case 0 -> fs.mkdirs(path, 0755, false, true);
                case 1 -> fs.createSymlink(path, "target", false, 0755);
                default -> fs.create(path, CreateOptions.DEFAULT).close();
            }
            lives.made(name);
            names.add(name);
        }

        private void remove() throws IOException {
            String name = any();
            lives.leaving(name);
            fs.delete(directory.child(name), false);
            lives.gone(name);
            names.remove(name);
        }

        private void rename() throws IOException {
            String source = any();
            String target = next();
            lives.leaving(source);
            lives.making(target);
            fs.rename(directory.child(source), directory.child(target), RenameMode.NO_REPLACE);
            lives.gone(source);
            lives.made(target);
            names.set(names.indexOf(source), target);
        }

        /** Puts a new file in the place of one of those that are always there. */
        private void replace() throws IOException {
            String source = next();
            lives.making(source);
            fs.create(directory.child(source), CreateOptions.DEFAULT).close();
            lives.made(source);
            lives.leaving(source);
            String target = replaced.get(random.nextInt(replaced.size()));
            fs.rename(directory.child(source), directory.child(target), RenameMode.OVERWRITE);
            lives.gone(source);
        }
    }
}
