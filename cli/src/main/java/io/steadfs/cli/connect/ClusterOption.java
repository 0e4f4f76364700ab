package io.steadfs.cli.connect;

import java.io.IOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which running file system a command asks. */
public final class ClusterOption {
    @Option(
            names = "--uri",
            required = true,
            paramLabel = "URI",
            description = "the file system, for example stead://localhost:7410")
    private String uri = "";

    /** @throws ParameterException if that is no file system's URI */
    public Connection open(Connections connections, CommandLine command) throws IOException {
        return open(connections, Map.of(), command);
    }

    /**
     * @param own settings of this client, by key of the configuration
     * @throws ParameterException if that is no file system's URI
     */
    public Connection open(Connections connections, Map<String, String> own, CommandLine command) throws IOException {
        try {
            return connections.open(SteadUri.parse(uri), own);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--uri: " + e.getMessage(), e);
        }
    }
}
