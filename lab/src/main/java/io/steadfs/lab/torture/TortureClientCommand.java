package io.steadfs.lab.torture;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One client process of {@code stead torture}. The harness starts the process. The process works until its standard
 * input ends.
 */
@Command(name = "client", hidden = true, mixinStandardHelpOptions = true, description = "A client of stead torture.")
final class TortureClientCommand implements Callable<Integer> {
    /**
     * Number of low bits in a file id. The upper bits hold the numbers of the process and the thread, so each thread
     * has ids of its own.
     */
    private static final int FILE_BITS = 32;

    /** No superuser: permissions count. */
    private static final String USER = "torture";

    @Option(names = "--servers", split = ",", required = true)
    private List<String> servers = List.of();

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--threads", required = true)
    private int threads;

    @Option(names = "--wide", required = true)
    private int wide;

    /** When the run began, by the monotonic clock of the machine. */
    @Option(names = "--began", required = true)
    private long beganNanos;

    /** Histories of the earlier clients of this slot, in their order, if this client goes on with their names. */
    @Option(names = "--before", split = ",")
    private List<Path> before = List.of();

    /** Number of this client process. It differs for every client process of a run and is at least 1. */
    @Option(names = "--number", required = true)
    private int number;

    @Option(names = "--history", required = true)
    private Path history = Path.of("");

    @Option(names = "--set")
    private Map<String, String> settings = new HashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<ServerAddress> addresses =
                servers.stream().map(ServerAddress::parse).toList();
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicBoolean failed = new AtomicBoolean();
        try (History written = History.create(history);
                SteadFs fs = SteadClient.connect(
                        Settings.of(settings),
                        addresses,
                        Caller.newBuilder().setUser(USER).build())) {
            List<Event> earlier = new ArrayList<>();
            for (Path each : before) {
                earlier.addAll(History.read(name, each));
            }
            List<Thread> workers = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long firstFile = ((long) number * 256 + thread) << FILE_BITS;
                Worker worker = new Worker(
                        fs,
                        written,
                        name,
                        thread,
                        replay(thread, earlier),
                        beganNanos,
                        number,
                        seed + thread,
                        firstFile,
                        stopped::get);
                Thread started = new Thread(worker, "worker-" + thread);
                started.setUncaughtExceptionHandler((who, why) -> {
                    why.printStackTrace();
                    failed.set(true);
                });
                started.start();
                workers.add(started);
            }
            System.out.println("READY " + name);
            while (System.in.read() >= 0) {
                // The bytes have no meaning; only the end of the input has.
            }
            stopped.set(true);
            for (Thread worker : workers) {
                worker.join();
            }
        }
        return failed.get() ? 1 : 0;
    }

    private OwnReplay replay(int thread, List<Event> earlier) {
        OwnPlace place = OwnPlace.of(wide == 0 ? name : Clients.slotOf(name), thread, wide);
        OwnReplay replay = new OwnReplay(place, (from, until) -> true);
        earlier.stream()
                .filter(event -> event.thread() == thread && replay.concerns(event))
                .forEach(replay::apply);
        return replay;
    }
}
