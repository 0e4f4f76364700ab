package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file system where none is: an error that names the address and what was tried, soon. */
@Timeout(60)
class NobodyThereTest {
    private final Configuration conf = new Configuration(false);

    NobodyThereTest() {
        conf.setClass("fs.stead.impl", SteadFileSystem.class, FileSystem.class);
        conf.set("fs.stead.client.reach.timeout", "1s");
        // Nobody is waited for so long.
        conf.set("fs.stead.client.operation.timeout", "1h");
    }

    /** A first search for a name takes long on a busy machine. What it finds ends the wait sooner. */
    private void awaitSlowSearch() {
        conf.set("fs.stead.client.reach.timeout", "5s");
    }

    private IOException refusal(String uri) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(URI.create(uri), conf)) {
            return catchThrowableOfType(IOException.class, () -> fs.getFileStatus(new Path("/a")));
        }
    }

    @Test
    void noSuchHost() throws IOException {
        awaitSlowSearch();
        assertThat(refusal("stead://no-such-host.invalid:7/"))
                .isExactlyInstanceOf(UnknownHostException.class)
                .hasMessage("stead://no-such-host.invalid:7/a: UNKNOWN_HOST: no metadata server answers; tried"
                        + " no-such-host.invalid:7 (no machine of this name is known)");
    }

    @Test
    void nobodyListens() throws IOException {
        int port = freePort();
        assertThat(refusal("stead://127.0.0.1:" + port + "/"))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage(
                        "stead://127.0.0.1:" + port + "/a: UNREACHABLE: no metadata server answers; tried 127.0.0.1:"
                                + port + " (connection refused: nothing listens there)");
    }

    @Test
    void whatAnswersIsTold() throws Exception {
        try (Stranger stranger = new Stranger("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n")) {
            assertThat(refusal("stead://127.0.0.1:" + stranger.port() + "/"))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + stranger.port())
                    .hasMessageContaining("no SteadFS server: it answered 'HTTP/1.1 400 Bad Request'");
        }
    }

    @Test
    void silenceAndAHangUpAreTold() throws Exception {
        try (Stranger silent = new Stranger("");
                Stranger brief = new Stranger("\u0000")) {
            brief.hangUp = true;
            conf.set("fs.stead.two.servers", "127.0.0.1:" + silent.port() + ",127.0.0.1:" + brief.port());
            assertThat(refusal("stead://two/"))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessageContaining("127.0.0.1:" + silent.port() + " (no answer to HELLO within 200 ms)")
                    .hasMessageContaining(
                            "127.0.0.1:" + brief.port() + " (the connection was closed without an answer)");
        }
    }

    @Test
    void allServersOfANameAreTried() throws IOException {
        int port = freePort();
        conf.set("fs.stead.prod.servers", "no-such-host.invalid:7,127.0.0.1:" + port);
        awaitSlowSearch();
        assertThat(refusal("stead://prod/"))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("no-such-host.invalid:7 (no machine of this name is known)")
                .hasMessageContaining("127.0.0.1:" + port + " (connection refused: nothing listens there)");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Listens, and says the same to everybody who says something. */
    private static final class Stranger implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[] answer;
        private volatile boolean hangUp;

        Stranger(String answer) throws IOException {
            this.answer = answer.getBytes(StandardCharsets.US_ASCII);
            Thread thread = new Thread(this::serve, "stranger");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listening.getLocalPort();
        }

        private void serve() {
            while (!listening.isClosed()) {
                try {
                    Socket socket = listening.accept();
                    if (socket.getInputStream().read() < 0) {
                        socket.close();
                    } else if (hangUp) {
                        socket.close();
                    } else {
                        OutputStream out = socket.getOutputStream();
                        out.write(answer);
                        out.flush();
                    }
                } catch (IOException e) {
                    // The socket, or all, was closed: the loop tells which.
                }
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
