package io.steadfs.it;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client with leased handles in a process of its own, which does a line at a time what it is told, and says so:
 *
 * <pre>
 *  create PATH   makes a file, which stays open                                            CREATED
 *  hold PATH     begins to make one; what names its handles is not sent until GO           NAMED
 *  go            sends that; how many creates were refused since their handles were over   CREATED REFUSALS
 *  write PATH    writes an open file and closes it                                         WRITTEN
 * </pre>
 *
 * or {@code FAILED} and why.
 */
final class StoppedHolder {
    static final int COLUMNS = 3;
    static final int STRIP = 64 << 10;
    static final int BYTES = COLUMNS * STRIP + 11;

    private final SteadFs fs;
    private final Gate gate;
    private final Map<String, FileWriter> open = new HashMap<>();
    private Optional<CompletableFuture<Void>> held = Optional.empty();

    private StoppedHolder(SteadFs fs, Gate gate) {
        this.fs = fs;
        this.gate = gate;
    }

    /** @param arguments metadata server, then settings, KEY=VALUE */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> own = new HashMap<>();
        for (String argument : Arrays.asList(arguments).subList(1, arguments.length)) {
            int equals = argument.indexOf('=');
            own.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        Settings settings = Settings.of(own);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (ThreadScheduler scheduler = new ThreadScheduler("timer");
                EventLoops loops = EventLoops.open("client", settings);
                Gate gate = new Gate(new NettyTransport(
                        loops, NettyOptions.from(settings), new MessageCounters(), new SystemClock()));
                SteadFs fs = SteadClient.connect(
                        gate,
                        new SystemClock(),
                        scheduler,
                        settings,
                        List.of(ServerAddress.parse(arguments[0])),
                        LocalProcess.caller())) {
            StoppedHolder holder = new StoppedHolder(fs, gate);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                try {
                    System.out.println(holder.done(line.split(" ", -1)));
                } catch (IOException | CompletionException e) {
                    System.out.println("FAILED " + e);
                }
            }
        }
    }

    private String done(String[] words) throws IOException {
        switch (words[0]) {
            case "create" -> {
                create(words[1]);
                return "CREATED";
            }
            case "hold" -> {
                CompletableFuture<Void> named = gate.shut();
                held = Optional.of(CompletableFuture.runAsync(() -> {
                    try {
                        create(words[1]);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                }));
                named.join();
                return "NAMED";
            }
            case "go" -> {
                int before = gate.refusals.get();
                gate.open();
                held.orElseThrow().join();
                return "CREATED " + (gate.refusals.get() - before);
            }
            default -> {
                FileWriter writer = Optional.ofNullable(open.remove(words[1])).orElseThrow();
                writer.write(bytes(words[1]), 0, BYTES);
                writer.close();
                return "WRITTEN";
            }
        }
    }

    private void create(String path) throws IOException {
        open.put(path, fs.create(FsPath.parse(path), CreateOptions.DEFAULT.withLayout(COLUMNS, STRIP)));
    }

    /** Of a file that was written. */
    static byte[] bytes(String path) {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (path.hashCode() + i);
        }
        return bytes;
    }

    /** Holds back a request that names leased handles, and counts the refusals of such. */
    private static final class Gate implements Transport {
        private final Transport transport;
        final AtomicInteger refusals = new AtomicInteger();
        private CompletableFuture<Void> named = new CompletableFuture<>();
        private CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

        Gate(Transport transport) {
            this.transport = transport;
        }

        /** Completes when the next one is held back. */
        synchronized CompletableFuture<Void> shut() {
            open = new CompletableFuture<>();
            named = new CompletableFuture<>();
            return named;
        }

        void open() {
            CompletableFuture<Void> shut;
            synchronized (this) {
                shut = open;
            }
            shut.complete(null);
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            if (request.kind() != Kind.CREATE && request.kind() != Kind.CREATE_METAFILE) {
                return transport.send(server, request, timeoutMillis);
            }
            CompletableFuture<Void> wait;
            synchronized (this) {
                wait = open;
                named.complete(null);
            }
            return wait.thenCompose(opened -> transport.send(server, request, timeoutMillis))
                    .whenComplete((reply, failure) -> {
                        if (reply != null && reply.error() == FsError.LEASE_REVOKED) {
                            refusals.incrementAndGet();
                        }
                    });
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}
