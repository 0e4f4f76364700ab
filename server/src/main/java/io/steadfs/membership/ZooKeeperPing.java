package io.steadfs.membership;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Tests whether one of the configured ZooKeeper servers serves, even if the server opens no session yet. The test sends
 * ZooKeeper's command {@code srvr}. A serving ZooKeeper replies with its version, or says that the command is not
 * allowed. Other answers do not count, because they come from a ZooKeeper that does not serve, or from another program.
 * Not thread-safe.
 */
final class ZooKeeperPing {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int MOST_BYTES = 4096;
    /**
     * After this many answers, the test ends. If ZooKeeper has opened no session by then, ZooKeeper counts as broken,
     * not as slow.
     */
    private static final int MOST = 9;

    private final String servers;
    private int answers;

    /** @param servers the configured servers, as {@code host:port,...} */
    ZooKeeperPing(String servers) {
        this.servers = servers;
    }

    /**
     * Asks the servers once more, and returns the number of answers so far. After {@value #MOST} answers, this method
     * asks no server.
     */
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
