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
 * Stores the last ports of the servers of a local cluster. So the servers keep their addresses after a restart if the
 * ports are still free. A cluster must have only one such object, because the object keeps all ports in memory and
 * always writes the whole file. Thread-safe.
 */
final class LocalPorts {
    static final String HOST = "127.0.0.1";

    private final Path file;
    private final Properties ports = new Properties();
    private final FreePorts free = FreePorts.ofLoopback();

    LocalPorts(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                ports.load(reader);
            }
        }
    }

    /**
     * Chooses the port for a server. The method prefers the server's last port to the planned port.
     *
     * @param name name of the server, or of another part of the cluster that listens on a port
     * @param planned port to use if there is no last port; 0 = any port
     * @return the port; 0 = any free port. The result is 0 if no port is known or planned. The result is also 0 if the
     * port is in use and {@code choice} permits another port.
     * @throws IOException if the port is in use and {@code choice} permits no other port. The message contains the name
     * and the port.
     */
    int choose(String name, int planned, PortChoice choice) throws IOException {
        int earlier = earlier(name);
        int port = earlier == 0 ? planned : earlier;
        return port == 0 ? 0 : ifFree(name, port, choice);
    }

    /**
     * Chooses a port, as {@link #choose} does. Where {@code choose} says any port, this method finds one of {@link
     * FreePorts}. So no other program is likely to get the port while the server is stopped.
     */
    int chooseLasting(String name, int planned, PortChoice choice) throws IOException {
        int port = choose(name, planned, choice);
        if (port == 0) {
            return free.next();
        }
        // If the port is of that range, nobody gets it from FreePorts while the server is stopped.
        var unused = ClaimedPorts.claim(port);
        return port;
    }

    /**
     * Chooses the port for a server, as {@link #chooseLasting} does. {@code choice} may move the first metadata server to
     * another port.
     */
    int of(ServerId server, PortChoice choice) throws IOException {
        return choice.first() != 0 && server.equals(ServerId.mds(1))
                ? choice.first()
                : chooseLasting(server.toString(), choice.of(server), choice);
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

    /** The last port of the server; 0 = no last port. */
    private synchronized int earlier(String name) {
        String text = ports.getProperty(name, "0");
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return port <= 65535 ? port : 0;
    }

    /**
     * Stores a port. The method replaces the file atomically, so the file always has either all old ports or all new
     * ports.
     */
    synchronized void remember(String server, int port) throws IOException {
        ports.setProperty(server, Integer.toString(port));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (Writer writer = Files.newBufferedWriter(fresh)) {
            ports.store(writer, "ports of the servers of this local cluster");
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
