package io.steadfs.cli.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;

/**
 * Ports for servers that must be told their port before they start. They lie below the range from which systems assign ports to outgoing
 * connections and to programs that ask for any port (Linux: 32768 to 60999). So the system assigns none of them before the server listens.
 * Other users of this class, in this process or another one of the same user, do not get such a port while this process lives.
 */
public final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int COUNT = 12_000;
    private static final int TRIES = 1000;

    private final List<String> hosts;
    private final Random random = new Random();

    /** @param hosts addresses of this machine; a port must be free at all of them */
    public FreePorts(List<String> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /** Ports of servers that only this machine reaches. */
    public static FreePorts ofLoopback() {
        return new FreePorts(List.of(LocalPorts.HOST));
    }

    /**
     * A port that was not returned before.
     *
     * @throws IOException if none was found, or claims cannot be stored
     */
    public int next() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = LOWEST + random.nextInt(COUNT);
            // The port is claimed before it is tried, because the try takes the port for a moment, even from a
            // process that claimed it.
            if (ClaimedPorts.claim(port)) {
                if (hosts.stream().allMatch(host -> isFree(host, port))) {
                    return port;
                }
                ClaimedPorts.release(port);
            }
        }
        throw new IOException("no port from " + LOWEST + " to " + (LOWEST + COUNT - 1)
                + " is free and nobody else's at " + String.join(" and ", hosts));
    }

    static boolean isFree(String host, int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return probe.getLocalPort() == port;
        } catch (IOException e) {
            return false;
        }
    }
}
