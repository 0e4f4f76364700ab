package io.steadfs.cli.local;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Ports that the servers of a local cluster had last time, so that its addresses stay where they can. */
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

    /** The earlier port if it is free now, else 0: any. */
    int preferred(String server) {
        String text = ports.getProperty(server, "0");
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return port > 0 && port <= 65535 && FreePorts.isFree(HOST, port) ? port : 0;
    }

    void remember(String server, int port) throws IOException {
        ports.setProperty(server, Integer.toString(port));
        try (Writer writer = Files.newBufferedWriter(file)) {
            ports.store(writer, "ports of the servers of this local cluster");
        }
    }
}
