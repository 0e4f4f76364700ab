package io.steadfs.membership;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Finds out whether a ZooKeeper serves, even if it gives no session yet. It sends ZooKeeper's command {@code srvr}. Every ZooKeeper answers
 * it, even if only to say that the command is not allowed. A ZooKeeper that is not serving does not count, nor does anything else that
 * listens there. For one thread.
 */
final class ZooKeeperPing {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int MOST_BYTES = 4096;
    /** After this many answers nothing is asked any more: it is no longer taken for a ZooKeeper that is only slow. */
    private static final int MOST = 9;

    private final String servers;
    private int answers;

    /** @param servers {@code host:port,...} */
    ZooKeeperPing(String servers) {
        this.servers = servers;
    }

    /** Asks, and returns the number of answers so far. From {@value #MOST} answers on, nothing is asked any more. */
    int ask() {
        if (answers < MOST
                && new ConnectStringParser(servers)
                        .getServerAddresses().stream().anyMatch(ZooKeeperPing::serves)) {
            answers++;
        }
        return answers;
    }

    /** The number of answers so far. */
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
