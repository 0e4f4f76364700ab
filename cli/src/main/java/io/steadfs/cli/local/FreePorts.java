package io.steadfs.cli.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;

/**
 * Finds free ports for servers that must get their port before they start. Operating systems assign ports from a fixed
 * range to outgoing connections and to programs that ask for any port. On Linux, this range is 32768 to 60999. The
 * ports of this class lie below the range. So the system does not assign such a port to another program before the
 * server listens. While this process lives, no other process of the same user gets the same port from this class.
 */
public final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int COUNT = 12_000;
    private static final int TRIES = 1000;

    private final List<String> hosts;
    private final Random random = new Random();

    /** @param hosts addresses of this machine; a port must be free at all of these addresses */
    public FreePorts(List<String> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /** Finds ports for servers that only this machine can reach. */
    public static FreePorts ofLoopback() {
        return new FreePorts(List.of(LocalPorts.HOST));
    }

    /**
     * Returns a port that this process has not returned before.
     *
     * @throws IOException if no free port was found, or if the claim cannot be stored
     */
    public int next() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = LOWEST + random.nextInt(COUNT);
            // The method claims the port before it tries the port. The try occupies the port for a moment, so it could
            // disturb another process that has claimed the same port.
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
