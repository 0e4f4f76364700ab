package io.steadfs.cli.process;

import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a metadata server in this process. */
@Command(
        name = "mds",
        mixinStandardHelpOptions = true,
        description = {
            "Run a metadata server until SIGTERM or Ctrl-C.",
            "Prints a line beginning with READY when it serves. ZooKeeper (stead.zookeeper.servers) must hold a file"
                    + " system: see stead format. It listens on 127.0.0.1 unless stead.bind.host says otherwise."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"1:could not start; the last line says why", "2:wrong usage", "143:stopped by SIGTERM, in order"
        })
public final class MdsCommand implements Callable<Integer> {
    @Mixin
    private ServerProcess process = new ServerProcess();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return process.run(ServerId::mds, ServerKeys.MDS, spec);
    }
}
