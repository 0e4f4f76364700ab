package io.steadfs.cli.process;

import io.steadfs.cli.report.Json;
import io.steadfs.config.Settings;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.EnsembleMember;
import io.steadfs.membership.MembershipException;
import io.steadfs.rpc.ServerAddress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a ZooKeeper server in this process. The server runs alone or as a member of an ensemble. */
@Command(
        name = "zookeeper",
        mixinStandardHelpOptions = true,
        description = {
            "Run a ZooKeeper server until SIGTERM or Ctrl-C, for those who have none.",
            "Prints a line beginning with READY when it listens. With stead.zk.ensemble it is one of several, and serves"
                    + " while more than half of them run. It listens on 127.0.0.1 unless stead.zk.bind.host says otherwise."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"1:could not start; the last line says why", "2:wrong usage", "143:stopped by SIGTERM, in order"
        })
public final class ZooKeeperCommand implements Callable<Integer> {
    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "data directory, made if missing")
    private Path directory = Path.of("");

    @Option(names = "--port", paramLabel = "P", defaultValue = "-1", description = "above stead.zk.port")
    private int port;

    @Option(
            names = "--id",
            paramLabel = "I",
            defaultValue = "1",
            description = "number of this server in the ensemble, from 1; default: ${DEFAULT-VALUE}")
    private int id;

    @Option(
            names = "--ensemble",
            paramLabel = "HOST:PORT:PORT,...",
            defaultValue = "",
            description = "above stead.zk.ensemble")
    private String ensemble = "";

    @Option(names = "--json", description = "say that the server is ready as one JSON object")
    private boolean json;

    @Option(
            names = "--end-with-input",
            description = "stop when standard input ends, as it does when the process ends that started this one")
    private boolean endWithInput;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private record Running(AutoCloseable server, int port) {}

    @Override
    public Integer call() throws MembershipException, InterruptedException {
        if (port < -1 || port > 65535) {
            throw new ParameterException(spec.commandLine(), "--port " + port + " is not in 0..65535");
        }
        Map<String, String> values = configuration.values(ServerKeys.ZOOKEEPER);
        if (port >= 0) {
            values.put(EnsembleMember.PORT.name(), Integer.toString(port));
        }
        if (!ensemble.isEmpty()) {
            values.put(EnsembleMember.ENSEMBLE.name(), ensemble);
        }
        if (endWithInput) {
            EndOfInput.watch(System.in);
        }
        Settings settings = Settings.of(values);
        Running running = start(settings);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(running.server(), stopped), "stop"));
        ServerAddress address = new ServerAddress(settings.get(EnsembleMember.BIND_HOST), running.port());
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? json(address) : "READY zookeeper-" + id + " at " + address);
        out.flush();
        stopped.await();
        return 0;
    }

    private Running start(Settings settings) throws MembershipException {
        int wanted = settings.get(EnsembleMember.PORT).intValue();
        if (settings.get(EnsembleMember.ENSEMBLE).isEmpty()) {
            EmbeddedZooKeeper alone =
                    EmbeddedZooKeeper.start(directory, settings.get(EnsembleMember.BIND_HOST), wanted);
            return new Running(alone, alone.port());
        }
        if (wanted == 0) {
            throw new MembershipException(
                    "a member of an ensemble needs a port: --port or " + EnsembleMember.PORT.name());
        }
        return new Running(EnsembleMember.start(directory, id, wanted, settings), wanted);
    }

    private static void stop(AutoCloseable server, CountDownLatch stopped) {
        try {
            server.close();
        } catch (Exception e) {
            System.err.println("stead: ZooKeeper did not stop in order: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }

    private String json(ServerAddress address) {
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("ready", true);
        ready.put("server", "zookeeper-" + id);
        ready.put("host", address.host());
        ready.put("port", address.port());
        ready.put("directory", directory.toString());
        ready.put("pid", ProcessHandle.current().pid());
        return Json.line(ready);
    }
}
