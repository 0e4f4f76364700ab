package io.steadfs.cli.local;

import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * The last ports of the servers of a local cluster, so that its addresses stay the same if possible. There must be one object for a
 * cluster, because it keeps all ports in memory and writes them all. Thread-safe.
 */
final class LocalPorts {
    static final String HOST = "127.0.0.1";

    private final Path file;
    private final Properties ports = new Properties();

    LocalPorts(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                ports.load(reader);
            }
        }
    }

    /**
     * The port for the server: its last port, else the planned one.
     *
     * @param name of the server, or of another part that listens
     * @param planned 0 = any
     * @return 0 = any: none is planned, or the port is taken and the choice permits another one
     * @throws IOException naming name and port if the port is taken and the choice permits no other
     */
    int choose(String name, int planned, PortChoice choice) throws IOException {
        int earlier = earlier(name);
        int port = earlier == 0 ? planned : earlier;
        return port == 0 ? 0 : ifFree(name, port, choice);
    }

    /** Does the same as {@link #choose} for a server. The choice may move the first metadata server to another port. */
    int of(ServerId server, PortChoice choice) throws IOException {
        return choice.first() != 0 && server.equals(ServerId.mds(1))
                ? choice.first()
                : choose(server.toString(), choice.of(server), choice);
    }

    private static int ifFree(String name, int port, PortChoice choice) throws IOException {
        if (FreePorts.isFree(HOST, port)) {
            return port;
        }
        if (choice.yields()) {
            return 0;
        }
        throw new IOException(
                "port " + port + " of " + name + " at " + HOST
                        + " is in use; --port P moves a new cluster to the ports from P on, --port 0 takes ports that are free");
    }

    /** The last port; 0 = none. */
    private synchronized int earlier(String name) {
        String text = ports.getProperty(name, "0");
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return port <= 65535 ? port : 0;
    }

    /** Writes the file at once: it has the old ports or the new ones, never a part. */
    synchronized void remember(String server, int port) throws IOException {
        ports.setProperty(server, Integer.toString(port));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (Writer writer = Files.newBufferedWriter(fresh)) {
            ports.store(writer, "ports of the servers of this local cluster");
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
