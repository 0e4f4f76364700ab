package io.steadfs.membership;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Whether a ZooKeeper serves there, though it gives no session yet: asked with its word {@code srvr}, which every ZooKeeper answers, and be it to say
 * that it must not. One that is not serving, or something else, counts as nobody. For one thread.
 */
final class ZooKeeperPing {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int MOST_BYTES = 4096;
    /** So often it is taken for a ZooKeeper that is only slow. */
    private static final int MOST = 9;

    private final String servers;
    private int answers;

    /** @param servers {@code host:port,...} */
    ZooKeeperPing(String servers) {
        this.servers = servers;
    }

    /** Asks, and says how often there was an answer up to now; from {@value #MOST} on nobody is asked any more. */
    int ask() {
        if (answers < MOST
                && new ConnectStringParser(servers)
                        .getServerAddresses().stream().anyMatch(ZooKeeperPing::serves)) {
            answers++;
        }
        return answers;
    }

    /** How often there was an answer up to now. */
    int answers() {
        return answers;
    }

    private static boolean serves(InetSocketAddress named) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(named.getHostString(), named.getPort()), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String said = new String(socket.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8)
                    .toLowerCase(Locale.ROOT);
            return said.startsWith("zookeeper version") || said.contains("not in the whitelist");
        } catch (IOException e) {
            return false;
        }
    }
}
