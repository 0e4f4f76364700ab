package io.steadfs.cli.bench;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.report.Progress;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Question: what does it take to create a file? Run by {@code stead bench create}. */
final class CreateBench implements AutoCloseable {
    private static final long PROGRESS_SECONDS = 2;

    private final SteadUri uri;
    private final CreatePlan plan;
    private final FsPath folder;
    private final Progress progress;
    private final Connection observer;
    private final List<Connection> connections = new ArrayList<>();
    private final List<CreateClient> clients = new ArrayList<>();
    private final ExecutorService threads;

    /** @param folder on SteadFS, to work in; must not exist */
    CreateBench(SteadUri uri, Connections maker, CreatePlan plan, FsPath folder, Progress progress) throws FsException {
        this.uri = uri;
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
        this.observer = maker.open(uri);
        for (int i = 0; i < plan.clients(); i++) {
            Connection connection = maker.open(uri);
            connections.add(connection);
            FsPath directory = plan.shared() ? folder : folder.child("client-" + i);
            clients.add(new CreateClient(connection, plan, directory, "client-" + i + "-file-"));
        }
        this.threads = Executors.newFixedThreadPool(plan.clients());
    }

    CreateResult run() throws IOException, InterruptedException {
        makeDirectories();
        progress.say("warming up: " + plan.warmUp() + " files by each of " + plan.clients() + " clients");
        round(plan.warmUp());
        clients.forEach(CreateClient::reset);

        progress.say("measuring: " + plan.files() + " files by each of " + plan.clients() + " clients");
        Counters before = observer.counters();
        SortedMap<String, Long> sentBefore = sent();
        double seconds = round(plan.files());
        Counters counted = observer.counters().since(before);
        SortedMap<String, Long> sent = sent();
        sentBefore.forEach((kind, count) -> sent.merge(kind, -count, Long::sum));
        sent.values().removeIf(count -> count == 0);

        Latencies create = new Latencies();
        Latencies whole = new Latencies();
        clients.forEach(client -> {
            create.add(client.create());
            whole.add(client.whole());
        });
        return new CreateResult(
                uri.toString(),
                plan,
                seconds,
                create,
                whole,
                clients.stream().mapToLong(CreateClient::createSteps).sum(),
                clients.stream().mapToLong(CreateClient::wholeSteps).sum(),
                counted,
                sent);
    }

    private void makeDirectories() throws IOException {
        observer.fs().mkdirs(folder, 0755, true, true);
        if (!plan.shared()) {
            for (int i = 0; i < plan.clients(); i++) {
                observer.fs().mkdirs(folder.child("client-" + i), 0755, true, true);
            }
        }
    }

    private SortedMap<String, Long> sent() {
        TreeMap<String, Long> all = new TreeMap<>();
        connections.forEach(connection ->
                connection.transport().sent().forEach((kind, count) -> all.merge(kind, count, Long::sum)));
        return all;
    }

    /** Lets all clients create so many files each, and returns the seconds until the last was done. */
    private double round(int files) throws IOException, InterruptedException {
        AtomicLong done = new AtomicLong();
        long begun = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (CreateClient client : clients) {
            running.add(threads.submit(() -> {
                client.createFiles(files, done);
                return null;
            }));
        }
        for (Future<?> client : running) {
            await(client, done, (long) files * clients.size());
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

    /** Removes what was made. */
    void removeFiles() throws IOException {
        if (observer.fs().find(folder).isPresent()) {
            progress.say("removing " + folder);
            observer.fs().delete(folder, true);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        connections.forEach(Connection::close);
        observer.close();
    }
}
