package io.steadfs.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.lab.torture.Links.Rule;
import io.steadfs.lab.torture.Links.Trouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the network does when it is told to, with a server that answers each byte with the next one. */
@Timeout(60)
class ProxyTest {
    private static final int SHORT_MILLIS = 300;
    private static final int LONG_MILLIS = 20_000;

    private final Links links = new Links();
    private ServerSocket server;
    private Proxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getAllByName(Proxy.REAL_HOST)[0]);
        Thread answering = new Thread(this::answer, "answering");
        answering.setDaemon(true);
        answering.start();
        proxy = new Proxy(
                links, new SocketOwner(() -> Map.of(ProcessHandle.current().pid(), "client")));
        proxy.serve("server", server.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    private void answer() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread one = new Thread(() -> answer(socket), "answering-one");
                one.setDaemon(true);
                one.start();
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            for (int read = socket.getInputStream().read();
                    read >= 0;
                    read = socket.getInputStream().read()) {
                socket.getOutputStream().write(read + 1);
            }
        } catch (IOException e) {
            // Reset, as it should be.
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(Proxy.SHOWN_HOST, server.getLocalPort());
        socket.setSoTimeout(LONG_MILLIS);
        return socket;
    }

    private static int ask(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    private static Rule rule(Trouble trouble, long delayMillis) {
        return new Rule(trouble, delayMillis, (source, target) -> source.equals("client") && target.equals("server"));
    }

    @Test
    void letsBytesThrough() throws IOException {
        try (Socket socket = connect()) {
            assertThat(ask(socket, 7)).isEqualTo(8);
        }
    }

    @Test
    void whatWaitsComesLater() throws IOException {
        for (Trouble trouble : new Trouble[] {Trouble.DROP, Trouble.DROP_REQUESTS, Trouble.DROP_REPLIES}) {
            try (Socket socket = connect()) {
                assertThat(ask(socket, 1)).isEqualTo(2);
                Rule rule = rule(trouble, 0);
                links.add(rule);
                socket.setSoTimeout(SHORT_MILLIS);
                assertThatThrownBy(() -> ask(socket, 3)).as("%s", trouble).isInstanceOf(SocketTimeoutException.class);
                links.remove(rule);
                socket.setSoTimeout(LONG_MILLIS);
                assertThat(socket.getInputStream().read()).as("%s", trouble).isEqualTo(4);
            }
        }
    }

    @Test
    void delaysBothWays() throws IOException {
        try (Socket socket = connect()) {
            assertThat(ask(socket, 1)).isEqualTo(2);
            links.add(rule(Trouble.DELAY, SHORT_MILLIS));
            long begun = System.nanoTime();
            assertThat(ask(socket, 5)).isEqualTo(6);
            assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * SHORT_MILLIS - 1));
        }
    }

    @Test
    void resetsOldAndNewConnections() throws IOException {
        try (Socket old = connect()) {
            assertThat(ask(old, 1)).isEqualTo(2);
            Rule rule = rule(Trouble.RESET, 0);
            links.add(rule);
            assertThatThrownBy(() -> old.getInputStream().read()).isInstanceOf(IOException.class);
            try (Socket fresh = connect()) {
                assertThatThrownBy(() -> ask(fresh, 1)).isInstanceOf(IOException.class);
            }
            links.remove(rule);
            try (Socket fresh = connect()) {
                assertThat(ask(fresh, 1)).isEqualTo(2);
            }
        }
    }

    @Test
    void rulesAreForTheirProcessesOnly() throws IOException {
        links.add(new Rule(Trouble.DROP, 0, (source, target) -> source.equals("somebody else")));
        try (Socket socket = connect()) {
            assertThat(ask(socket, 1)).isEqualTo(2);
        }
    }
}
