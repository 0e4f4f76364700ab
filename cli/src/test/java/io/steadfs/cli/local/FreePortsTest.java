package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FreePortsTest {
    private static final String HOST = "127.0.0.1";
    private static final Path SYSTEM = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    @Test
    void eachIsFreeAndGivenOnce() throws IOException {
        FreePorts ports = new FreePorts(List.of(HOST));
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            int port = ports.next();
            assertThat(given.add(port)).as("port %d again", port).isTrue();
            assertThat(FreePorts.isFree(HOST, port)).as("port %d", port).isTrue();
        }
    }

    @Test
    void processesAreNotGivenTheSame() throws Exception {
        Process other = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader()) {
            int port = Integer.parseInt(said.readLine());
            assertThat(ClaimedPorts.claim(port)).isFalse();
            assertThat(FreePorts.isFree(HOST, port)).isTrue();

            other.destroy();
            other.waitFor();
            assertThat(ClaimedPorts.claim(port)).as("its process has ended").isTrue();
            assertThat(ClaimedPorts.claim(port)).as("this process has it").isFalse();
            ClaimedPorts.release(port);
            assertThat(ClaimedPorts.claim(port)).as("it was released").isTrue();
        } finally {
            other.destroy();
        }
    }

    /** Another process: says which port it was given, and lives until it is ended. */
    static final class Other {
        private Other() {}

        public static void main(String... arguments) throws Exception {
            System.out.println(new FreePorts(List.of(HOST)).next());
            Thread.currentThread().join();
        }
    }

    /** Else a connection of anybody could take it before the server listens. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void systemGivesNobodyOneOfThem() throws IOException {
        int lowest;
        // The system gives it to one read alone, so that must be long enough.
        try (Scanner range = new Scanner(Files.newBufferedReader(SYSTEM))) {
            lowest = range.nextInt();
        }
        assumeThat(lowest).as("as Linux comes").isGreaterThanOrEqualTo(32768);
        FreePorts ports = new FreePorts(List.of(HOST));
        for (int i = 0; i < 500; i++) {
            assertThat(ports.next()).isBetween(1024, lowest - 1);
        }
    }

    @Test
    void oneThatIsTakenIsNotFree() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePorts.isFree(HOST, taken.getLocalPort())).isFalse();
        }
    }

    @Test
    void noneIsAnErrorThatNamesTheAddresses() {
        FreePorts elsewhere = new FreePorts(List.of(HOST, "192.0.2.1"));
        assertThatThrownBy(elsewhere::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1 and 192.0.2.1");
    }
}
