package io.steadfs.cli.process;

import io.steadfs.cli.report.Json;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.netty.EventLoops;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The common part of {@code stead mds} and {@code stead ioserver}. Runs one server until the process gets SIGTERM. */
final class ServerProcess {
    @Option(
            names = "--id",
            required = true,
            paramLabel = "N",
            description = "number of this server within its role, 1 to 32767; its data directory keeps it")
    private int id;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "data directory, made if missing")
    private Path directory = Path.of("");

    @Option(
            names = "--replace-store",
            description = "accept an empty data directory in place of one that was lost with all that was in it")
    private boolean replaceStore;

    @Option(
            names = "--accept-loss",
            description = {
                "go on with an older state of a store: a directory from a copy, or with a log whose end is gone. What was changed since is lost; then run fsck --repair,"
                        + " and until it finds nothing no data is removed because the store does not know it. No effect on a store that is not older"
            })
    private boolean acceptLoss;

    @Option(names = "--json", description = "say that the server is ready as one JSON object")
    private boolean json;

    @Option(
            names = "--end-with-input",
            description = "stop when standard input ends, as it does when the process ends that started this one")
    private boolean endWithInput;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    int run(IntFunction<ServerId> role, ConfigKeys keys, CommandSpec spec) throws IOException, InterruptedException {
        ServerId server;
        try {
            server = role.apply(id);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--id " + id + ": " + e.getMessage(), e);
        }
        return run(server, configuration.read(keys), spec.commandLine().getOut());
    }

    private int run(ServerId id, Settings settings, PrintWriter out) throws IOException, InterruptedException {
        if (endWithInput) {
            EndOfInput.watch(System.in);
        }
        CountDownLatch stopped = new CountDownLatch(1);
        EventLoops loops = EventLoops.open("stead-server", settings);
        RunningServer server;
        try {
            server = RunningServer.start(
                    id, directory, Listening.of(id, settings), new Allowed(replaceStore, acceptLoss), loops, settings);
        } catch (IOException | RuntimeException e) {
            loops.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, loops, stopped), "stop"));
        out.println(json ? json(server) : "READY " + server.id() + " at " + server.address());
        if (!json) {
            server.metricsUrl().ifPresent(url -> out.println("METRICS " + server.id() + " at " + url));
        }
        out.flush();
        stopped.await();
        return 0;
    }

    private static void stop(RunningServer server, EventLoops loops, CountDownLatch stopped) {
        try {
            server.close();
            loops.close();
        } catch (IOException | RuntimeException e) {
            System.err.println("stead: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }

    private static String json(RunningServer server) {
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("ready", true);
        ready.put("server", server.id().toString());
        ready.put("host", server.address().host());
        ready.put("port", server.address().port());
        server.metricsUrl().ifPresent(url -> ready.put("metrics", url));
        ready.put("directory", server.directory().toString());
        ready.put("pid", ProcessHandle.current().pid());
        return Json.line(ready);
    }
}
