package io.steadfs.cli.local;

import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.web.WebService;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs a whole cluster on this machine. All servers run in this process, or each server runs in a process of its own.
 */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = {
            "Run a whole cluster on this machine until SIGTERM or Ctrl-C: ZooKeeper, metadata servers, IO servers, web"
                    + " interface.",
            "Prints one line, READY stead://host:port, when everything serves, and below it where the metrics of each server"
                    + " are. A new directory is formatted; one that was used before is served with all its data. Everything"
                    + " listens on 127.0.0.1, metrics where stead.metrics.bind.host says."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"1:could not start; the last line says why", "2:wrong usage", "143:stopped by SIGTERM, in order"
        })
public final class LocalCommand implements Callable<Integer> {
    private static final String WEB_UI = "web interface";

    @Option(
            names = "--mds",
            paramLabel = "M",
            defaultValue = "0",
            description = "metadata servers; default: those of the file system that is there, 1 for a new one")
    private int mds;

    @Option(
            names = "--shards",
            paramLabel = "S",
            defaultValue = "0",
            description =
                    "metadata shards, at least M; default: those of the file system that is there, M for a new one")
    private int shards;

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
            description =
                    "of the first metadata server; what else listens keeps its distance from it: each further metadata server 1,"
                            + " the first IO server 100, the web interface 70, metrics 10000 more than its server. 0: ports that"
                            + " are free. Default: those of the last start, 7410 for a new directory")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--processes",
            description = "one process for each server; DIR/servers.json tells of them, DIR/log has what they say")
    private boolean processes;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,...",
            defaultValue = "",
            description = "use the ZooKeeper there; default: one in this process")
    private String zooKeeper = "";

    @Option(
            names = "--zookeepers",
            paramLabel = "N",
            defaultValue = "0",
            description = "with --processes: N ZooKeeper servers in processes of their own, which belong together")
    private int zooKeepers;

    @Option(
            names = "--accept-loss",
            description = "servers go on with older states of their stores, as --accept-loss of mds and ioserver says")
    private boolean acceptLoss;

    @Option(names = "--json", description = "before the READY line, print servers and ports as one JSON object")
    private boolean json;

    @Option(names = "--no-webui", description = "without the web interface")
    private boolean withoutWebUi;

    @Option(
            names = "--webui-port",
            paramLabel = "PORT",
            description =
                    "of the web interface; 0: any that is free; default: that of the last start, for a new directory 7480")
    private Optional<Integer> webUiPort = Optional.empty();

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (shards < 0 || shards > FileSystemFormat.MAX_SHARDS) {
            throw new ParameterException(
                    spec.commandLine(), "--shards " + shards + " is not in 1.." + FileSystemFormat.MAX_SHARDS);
        }
        if (mds < 0 || mds > (shards == 0 ? FileSystemFormat.MAX_SHARDS : shards)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--mds " + mds + " is not in 1.." + (shards == 0 ? FileSystemFormat.MAX_SHARDS : shards)
                            + ": each metadata server hosts at least one shard");
        }
        if (ioServers < 1 || ioServers > 1000) {
            throw new ParameterException(spec.commandLine(), "--io " + ioServers + " is not in 1..1000");
        }
        checkPort("--port", port);
        checkPort("--webui-port", webUiPort);
        if (zooKeepers < 0 || zooKeepers > 99 || (zooKeepers > 0 && !processes)) {
            throw new ParameterException(
                    spec.commandLine(), "--zookeepers " + zooKeepers + " is not in 1..99, or --processes is missing");
        }
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch stopped = new CountDownLatch(1);
        ServingCluster cluster = processes ? startProcesses(out) : startHere();
        Optional<WebService> web = startWebUi(cluster);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, web, stopped), "stop"));

        if (json) {
            Map<String, Object> description = new LinkedHashMap<>(cluster.description());
            web.ifPresent(service -> description.put("webui", service.uri().toString()));
            out.println(Json.line(description));
        } else {
            web.ifPresent(service -> out.println("web interface at " + service.uri()));
        }
        out.println("READY " + cluster.uri());
        if (!json) {
            cluster.metricsUrls().forEach((server, url) -> out.println("METRICS " + server + " at " + url));
        }
        out.flush();
        stopped.await();
        return 0;
    }

    private void checkPort(String option, Optional<Integer> value) {
        value.filter(number -> number < 0 || number > 65535).ifPresent(number -> {
            throw new ParameterException(spec.commandLine(), option + " " + number + " is not in 0..65535");
        });
    }

    private PortChoice ports() {
        return port.map(PortChoice::from).orElse(PortChoice.USUAL);
    }

    /** Starts the web interface. If the web interface cannot start, the method stops the cluster. */
    private Optional<WebService> startWebUi(ServingCluster cluster) throws IOException {
        if (withoutWebUi) {
            return Optional.empty();
        }
        try {
            Map<String, String> said = configuration.values(ServerKeys.LOCAL);
            LocalPorts kept = cluster.ports();
            int webPort = webUiPort.isPresent() ? webUiPort.get() : kept.choose(WEB_UI, ports().webUi(), ports());
            WebService web = WebService.start(
                    SteadUri.parse(cluster.uri().toString()),
                    WebServer.Options.onLoopback(webPort, directory.resolve("webui")),
                    Configured.of(
                            "all servers of this cluster, as it was started",
                            ServerKeys.LOCAL,
                            key -> Optional.ofNullable(said.get(key))));
            kept.remember(WEB_UI, web.uri().getPort());
            web.firstUser().ifPresent(line -> System.err.println("stead: " + line));
            return Optional.of(web);
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private LocalCluster startHere() throws IOException {
        LocalCluster.Builder builder = LocalCluster.in(directory)
                .mds(mds)
                .shards(shards)
                .ioServers(ioServers)
                .ports(ports())
                .zooKeeper(zooKeeper)
                .acceptLoss(acceptLoss);
        configuration.values(ServerKeys.LOCAL).forEach(builder::set);
        return builder.start();
    }

    private ProcessCluster startProcesses(PrintWriter out) throws IOException {
        ProcessCluster.Builder builder = ProcessCluster.in(directory)
                .mds(mds)
                .shards(shards)
                .ioServers(ioServers)
                .ports(ports())
                .zooKeeper(zooKeeper)
                .zooKeepers(zooKeepers)
                .acceptLoss(acceptLoss)
                .events(event -> System.err.println("stead: " + event));
        configuration.values(ServerKeys.LOCAL).forEach(builder::set);
        ProcessCluster cluster = builder.start();
        if (!json) {
            for (String server : cluster.servers()) {
                out.println(server + " at " + cluster.addressOf(server) + ", process "
                        + cluster.pidOf(server).map(String::valueOf).orElse("ended"));
            }
        }
        return cluster;
    }

    private static void stop(ServingCluster cluster, Optional<WebService> web, CountDownLatch stopped) {
        try {
            if (web.isPresent()) {
                web.get().close();
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("stead: " + e.getMessage());
        }
        try {
            cluster.close();
        } catch (IOException | RuntimeException e) {
            System.err.println("stead: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }
}
