package io.steadfs.cli.local;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.report.Json;
import io.steadfs.membership.ServerId;
import java.io.IOException;
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

/** Runs a whole cluster in this process. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = {
            "Run a whole cluster in this process until SIGTERM or Ctrl-C: ZooKeeper, a metadata server, IO servers.",
            "Prints one line, READY stead://host:port, when everything serves. A new directory is formatted; one that was"
                    + " used before is served with all its data. Everything listens on 127.0.0.1."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"1:could not start; the last line says why", "2:wrong usage", "143:stopped by SIGTERM, in order"
        })
public final class LocalCommand implements Callable<Integer> {
    @Option(
            names = "--mds",
            paramLabel = "M",
            defaultValue = "1",
            description = "metadata servers; this release knows one")
    private int mds;

    @Option(names = "--io", paramLabel = "N", defaultValue = "4", description = "IO servers; default: ${DEFAULT-VALUE}")
    private int ioServers;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "stead-data",
            description = "keeps everything; default: ${DEFAULT-VALUE}")
    private Path directory = Path.of("stead-data");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "of the metadata server; default: the last one if it is free, else any")
    private int port;

    @Option(names = "--json", description = "before the READY line, print servers and ports as one JSON object")
    private boolean json;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (mds != 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--mds " + mds + ": this release has one metadata shard, so one metadata server");
        }
        if (ioServers < 1 || ioServers > 1000) {
            throw new ParameterException(spec.commandLine(), "--io " + ioServers + " is not in 1..1000");
        }
        if (port < 0 || port > 65535) {
            throw new ParameterException(spec.commandLine(), "--port " + port + " is not in 0..65535");
        }
        LocalCluster.Builder builder =
                LocalCluster.in(directory).ioServers(ioServers).port(port);
        configuration.values(ServerKeys.LOCAL).forEach(builder::set);
        CountDownLatch stopped = new CountDownLatch(1);
        LocalCluster cluster = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, stopped), "stop"));

        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(cluster));
        }
        out.println("READY " + cluster.uri());
        out.flush();
        stopped.await();
        return 0;
    }

    private static void stop(LocalCluster cluster, CountDownLatch stopped) {
        try {
            cluster.close();
        } catch (IOException | RuntimeException e) {
            System.err.println("stead: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }

    private static String json(LocalCluster cluster) {
        Map<String, Object> servers = new LinkedHashMap<>();
        for (ServerId id : cluster.servers()) {
            servers.put(id.toString(), cluster.addressOf(id).toString());
        }
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("uri", cluster.uri().toString());
        ready.put("directory", cluster.directory().toAbsolutePath().toString());
        ready.put("zookeeper", "127.0.0.1:" + cluster.zooKeeperPort());
        ready.put("servers", servers);
        ready.put("pid", ProcessHandle.current().pid());
        return Json.line(ready);
    }
}
