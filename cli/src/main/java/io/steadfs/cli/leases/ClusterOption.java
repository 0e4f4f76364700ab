package io.steadfs.cli.leases;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which file system. */
final class ClusterOption {
    @Option(
            names = "--uri",
            required = true,
            paramLabel = "URI",
            description = "the file system, for example stead://localhost:7410")
    private String uri = "";

    /** @throws ParameterException if that is no file system's URI */
    Connection open(Connections connections, CommandLine command) throws IOException {
        try {
            return connections.open(SteadUri.parse(uri));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--uri: " + e.getMessage(), e);
        }
    }
}
