package io.steadfs.cli.local;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Ports that the servers of a local cluster had last time, so that its addresses stay where they can. */
final class LocalPorts {
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

    /** The earlier port if it is free now, else 0: any. */
    int preferred(String server) {
        String text = ports.getProperty(server, "0");
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return port > 0 && port <= 65535 && isFree(port) ? port : 0;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort() == port;
        } catch (IOException e) {
            return false;
        }
    }

    void remember(String server, int port) throws IOException {
        ports.setProperty(server, Integer.toString(port));
        try (Writer writer = Files.newBufferedWriter(file)) {
            ports.store(writer, "ports of the servers of this local cluster");
        }
    }
}
