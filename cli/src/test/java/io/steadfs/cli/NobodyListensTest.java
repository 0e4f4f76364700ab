package io.steadfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands about a running file system, where nobody answers: exit code 1, and a line that names the address. */
@Timeout(60)
class NobodyListensTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "fsck", "leases list", "timeline --recent"})
    void nobodyListens(String command) throws IOException {
        int port = freePort();
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(List.of("--uri", "stead://127.0.0.1:" + port));
        assertThat(run(words.toArray(String[]::new))).as(err.toString()).isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("stead: ")
                .containsOnlyOnce("127.0.0.1:" + port);
    }

    /** Hadoop's shell tells it in its own way. */
    @Test
    void theShellFailsToo() throws IOException {
        int port = freePort();
        PrintStream real = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = run(
                    "fs", "--uri", "stead://127.0.0.1:" + port, "-D", "fs.stead.client.reach.timeout=1s", "-ls", "/");
        } finally {
            System.setErr(real);
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(text).isEqualTo(1);
        assertThat(text.lines().filter(line -> line.startsWith("ls: ")))
                .singleElement()
                .asString()
                .contains("tried 127.0.0.1:" + port + " (connection refused");
    }

    @Test
    void nothingIsNamed() {
        assertThat(run("status", "--uri", "hdfs://host:1")).isEqualTo(2);
        assertThat(err.toString()).contains("'hdfs://host:1' is not stead://host:port");
    }
}
