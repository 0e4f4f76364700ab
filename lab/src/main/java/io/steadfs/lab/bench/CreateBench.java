package io.steadfs.lab.bench;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Progress;
import io.steadfs.error.FsException;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures what it takes to create a file. The command {@code stead bench create} runs this benchmark.
 *
 * <p>In each round, all protocols take turns in the same cluster. Every second round reverses the order of the
 * protocols. So slow changes affect all protocols alike: a cache that fills, a machine that gets warm, a neighbour on
 * the machine.
 */
final class CreateBench implements AutoCloseable {
    private static final long PROGRESS_SECONDS = 2;

    private final SteadUri uri;
    private final CreatePlan plan;
    private final FsPath folder;
    private final Progress progress;
    private final Connection observer;
    private final List<CreateLane> lanes = new ArrayList<>();
    private final ExecutorService threads;

    /** @param folder folder on SteadFS in which the benchmark works; the folder must not exist yet */
    CreateBench(SteadUri uri, Connections maker, CreatePlan plan, FsPath folder, Progress progress) throws FsException {
        this.uri = uri;
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
        this.observer = maker.open(uri);
        for (Protocol protocol : plan.protocols()) {
            lanes.add(new CreateLane(protocol, uri, maker, plan, folder));
        }
        this.threads = Executors.newFixedThreadPool(plan.clients());
    }

    /** Runs the benchmark, and returns one result for each protocol in the order of the plan. */
    List<CreateResult> run() throws IOException, InterruptedException {
        makeDirectories();
        for (CreateLane lane : lanes) {
            progress.say("warming up " + lane.protocol() + ": " + plan.warmUp() + " files by each of " + plan.clients()
                    + " clients");
            round(lane, plan.warmUp());
            lane.begin();
        }
        for (int round = 0; round < plan.rounds(); round++) {
            int files = plan.filesOfRound(round);
            List<CreateLane> order = new ArrayList<>(lanes);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (CreateLane lane : order) {
                progress.say("measuring " + lane.protocol() + ", round " + (round + 1) + " of " + plan.rounds() + ": "
                        + files + " files by each of " + plan.clients() + " clients");
                Counters before = observer.counters();
                double seconds = round(lane, files);
                lane.add(seconds, observer.counters().since(before));
            }
        }
        return lanes.stream().map(lane -> lane.result(uri.toString(), plan)).toList();
    }

    private void makeDirectories() throws IOException {
        observer.fs().mkdirs(folder, 0755, true, true);
        if (plan.expectedFiles() > 0) {
            byte[] hint = Long.toString(plan.expectedFiles()).getBytes(StandardCharsets.UTF_8);
            observer.fs().setXattr(folder, DirectoryHints.EXPECTED_FILES, hint, true, true);
        }
        if (!plan.shared()) {
            for (int i = 0; i < plan.clients(); i++) {
                observer.fs().mkdirs(folder.child("client-" + i), 0755, true, true);
            }
        }
    }

    /**
     * Lets each client create the given number of files. Returns the seconds from the start until the last client is
     * done.
     */
    private double round(CreateLane lane, int files) throws IOException, InterruptedException {
        AtomicLong done = new AtomicLong();
        long begun = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (CreateClient client : lane.clients()) {
            running.add(threads.submit(() -> {
                client.createFiles(files, done);
                return null;
            }));
        }
        for (Future<?> client : running) {
            await(client, done, (long) files * lane.clients().size());
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private void await(Future<?> client, AtomicLong done, long all) throws IOException, InterruptedException {
        while (true) {
            try {
                client.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                progress.say(done.get() + " of " + all + " files");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException cause) {
                    throw new IOException(
                            "a client failed after " + done.get() + " files: " + cause.getMessage(), cause);
                }
                throw new CompletionException(e.getCause());
            }
        }
    }

    /** Removes the folder of the benchmark with all created files. */
    void removeFiles() throws IOException {
        if (observer.fs().find(folder).isPresent()) {
            progress.say("removing " + folder);
            observer.fs().delete(folder, true);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        lanes.forEach(CreateLane::close);
        observer.close();
    }
}
