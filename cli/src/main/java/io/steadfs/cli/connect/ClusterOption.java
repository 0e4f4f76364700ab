package io.steadfs.cli.connect;

import io.steadfs.error.FsException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that names the running file system for a command. */
public final class ClusterOption {
    @Option(
            names = "--uri",
            paramLabel = "URI",
            description =
                    "the file system, for example stead://localhost:7410; default: what STEAD_URI names, else fs.defaultFS in"
                            + " HADOOP_CONF_DIR/core-site.xml")
    private Optional<String> uri = Optional.empty();

    /** @throws ParameterException if no file system is named, or if the name is not the URI of a file system */
    public Connection open(Connections connections, CommandLine command) throws IOException {
        return open(connections, Map.of(), command);
    }

    /**
     * Connects to the first metadata server that answers.
     *
     * @param own settings of this client, by configuration key
     * @throws ParameterException if no file system is named, or if the name is not the URI of a file system
     */
    public Connection open(Connections connections, Map<String, String> own, CommandLine command) throws IOException {
        List<SteadUri> servers = servers(command);
        for (SteadUri server : servers.subList(0, servers.size() - 1)) {
            try {
                return connections.open(server, own);
            } catch (FsException e) {
                command.getErr().println("stead: " + e.getMessage() + "; the next one is asked");
                command.getErr().flush();
            }
        }
        return connections.open(servers.get(servers.size() - 1), own);
    }

    /**
     * The metadata servers of the file system, at least one. The client tries the servers in the order of this list.
     *
     * @throws ParameterException if no file system is named, or if the name is not the URI of a file system
     */
    public List<SteadUri> servers(CommandLine command) {
        try {
            return NamedFileSystem.ofProcess().servers(uri);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }
}
