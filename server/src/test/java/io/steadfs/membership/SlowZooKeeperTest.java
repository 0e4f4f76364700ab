package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that starts beside a ZooKeeper which is slow, which is none, or which never gives a session. */
class SlowZooKeeperTest extends ZooKeeperTest {
    SlowZooKeeperTest(@TempDir Path directory) {
        super(directory);
    }

    private Settings through(Gate gate) {
        return settings.with(Map.of(
                ZooKeeperTree.CONNECT.name(), "127.0.0.1:" + gate.port(), ZooKeeperTree.CONNECT_TIMEOUT.name(), "500"));
    }

    /** It serves, as it says of itself, but takes no session until it was asked three times. */
    @Test
    void isWaitedForAsLongAsItServes() throws Exception {
        try (Gate gate = new Gate(3, true);
                ZooKeeperTree tree = ZooKeeperTree.connect(through(gate))) {
            assertThat(tree.children("/")).contains("zookeeper");
            assertThat(gate.asked.get()).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void thatNeverGivesASessionIsNamedInTheEnd() throws Exception {
        try (Gate gate = new Gate(Integer.MAX_VALUE, true)) {
            assertThatThrownBy(() -> ZooKeeperTree.connect(through(gate)))
                    .isInstanceOf(MembershipException.class)
                    .hasMessage("ZooKeeper serves at 127.0.0.1:" + gate.port()
                            + " (stead.zookeeper.servers), but opened no session within 5000 ms");
        }
    }

    @Test
    void somethingElseThereIsNotWaitedFor() throws Exception {
        try (Gate gate = new Gate(Integer.MAX_VALUE, false)) {
            assertThatThrownBy(() -> ZooKeeperTree.connect(through(gate)))
                    .isInstanceOf(MembershipException.class)
                    .hasMessage("no ZooKeeper answers at 127.0.0.1:" + gate.port()
                            + " (stead.zookeeper.servers) within 500 ms");
        }
    }

    /** Before a real ZooKeeper: lets the word {@code srvr} pass, and sessions only when it was asked so often. */
    private static final class Gate implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();
        private final AtomicInteger asked = new AtomicInteger();
        private final int opensAfter;
        private final boolean answers;

        Gate(int opensAfter, boolean answers) throws IOException {
            this.opensAfter = opensAfter;
            this.answers = answers;
            begin(this::accept);
        }

        int port() {
            return listening.getLocalPort();
        }

        private static void begin(Runnable run) {
            Thread thread = new Thread(run, "gate");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            while (!listening.isClosed()) {
                try {
                    Socket client = listening.accept();
                    open.add(client);
                    begin(() -> serve(client));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void serve(Socket client) {
            try (client) {
                byte[] first = client.getInputStream().readNBytes(4);
                boolean isQuestion = Arrays.equals(first, "srvr".getBytes(StandardCharsets.US_ASCII));
                if (isQuestion) {
                    asked.incrementAndGet();
                }
                if (answers && (isQuestion || asked.get() >= opensAfter)) {
                    pass(client, first);
                }
            } catch (IOException e) {
                // The other side went.
            }
        }

        private void pass(Socket client, byte[] first) throws IOException {
            try (Socket real =
                    new Socket(InetAddress.getLoopbackAddress(), zooKeeper().getPort())) {
                open.add(real);
                real.getOutputStream().write(first);
                begin(() -> copy(client, real));
                try (InputStream back = real.getInputStream()) {
                    back.transferTo(client.getOutputStream());
                }
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // The other side went.
            }
        }

        @Override
        public void close() {
            try {
                listening.close();
                for (Socket each : open) {
                    each.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
