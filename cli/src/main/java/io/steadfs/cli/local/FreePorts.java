package io.steadfs.cli.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;

/**
 * Ports for servers that must be told theirs before they start. They lie below those that systems give to outgoing
 * connections and to who asks for any port (Linux: 32768 to 60999), so nobody is given one until its server listens;
 * what else asks here, in this process or another one of the same user, is not given it at all while this process lives.
 */
public final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int COUNT = 12_000;
    private static final int TRIES = 1000;

    private final List<String> hosts;
    private final Random random = new Random();

    /** @param hosts addresses of this machine at all of which a port must be free */
    public FreePorts(List<String> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /** Ports of servers that are for this machine alone. */
    public static FreePorts ofLoopback() {
        return new FreePorts(List.of(LocalPorts.HOST));
    }

    /**
     * One that was not given before.
     *
     * @throws IOException if none was found, or claims cannot be kept
     */
    public int next() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = LOWEST + random.nextInt(COUNT);
            // Claimed before it is tried, since trying takes it for a moment from who has it.
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
