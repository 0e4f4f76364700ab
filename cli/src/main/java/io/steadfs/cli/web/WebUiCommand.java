package io.steadfs.cli.web;

import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.ClientKeys;
import io.steadfs.cluster.UsualPorts;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the web interface of a file system. */
@Command(
        name = "webui",
        mixinStandardHelpOptions = true,
        description = {
            "Serve the web interface of a file system until SIGTERM or Ctrl-C: health, servers, leases, leaks, checks with repair,"
                    + " directories, configuration, audit log; all of it as REST too, under /api/v1.",
            "Run it as the superuser. The first start in a directory makes an operator 'admin' and prints the password, once.",
            "Prints one line, READY http://address:port/, when it serves."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"1:could not start; the last line says why", "2:wrong usage", "143:stopped by SIGTERM, in order"
        })
public final class WebUiCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "stead-webui",
            description = "keeps users, audit log and checks; default: ${DEFAULT-VALUE}")
    private Path directory = Path.of("stead-webui");

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "" + UsualPorts.WEB_UI,
            description = "where it listens; 0 = any that is free; default: ${DEFAULT-VALUE}")
    private int port = UsualPorts.WEB_UI;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "address that it listens on; without TLS: others than this machine should come through a proxy"
                            + " that has it; default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description = "a host name by which browsers ask for it, besides its address; may be given several times")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 0 || port > MOST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port " + port + " is not in 0.." + MOST_PORT);
        }
        SteadUri asked = cluster.servers(spec.commandLine()).get(0);
        Configured configured = Configured.of(
                "the client in the process of this web interface",
                ClientKeys.ALL,
                key -> Optional.ofNullable(System.getProperty(key)));
        WebService web =
                WebService.start(asked, new WebServer.Options(bind, port, Set.copyOf(names), directory), configured);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(web, stopped), "stop"));
        PrintWriter out = spec.commandLine().getOut();
        web.firstUser().ifPresent(line -> System.err.println("stead: " + line));
        out.println("READY " + web.uri());
        out.flush();
        stopped.await();
        return 0;
    }

    private static void stop(WebService web, CountDownLatch stopped) {
        try {
            web.close();
        } catch (IOException | RuntimeException e) {
            System.err.println("stead: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }
}
