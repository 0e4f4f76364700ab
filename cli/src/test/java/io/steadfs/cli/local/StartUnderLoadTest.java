package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers in processes of their own start while {@value #BURNING} threads take the processors. {@code -Dstead.load.seconds=} says for how long,
 * unless all serve before.
 */
class StartUnderLoadTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int BURNING = 20;
    private static final long LOAD_SECONDS = Long.getLong("stead.load.seconds", 4);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aClusterStartsAllTheSame() throws IOException, InterruptedException {
        Load load = new Load();
        try (ProcessCluster cluster = ProcessCluster.in(directory.resolve("cluster"))
                .mds(1)
                .shards(2)
                .ioServers(1)
                .start()) {
            load.end();
            assertThat(cluster.servers()).containsExactly("mds-1", "io-1").allMatch(cluster::isRunning);
            // mds-1 may hear a moment after the start that the other servers run.
            await().atMost(SOON).untilAsserted(() -> {
                StringWriter out = new StringWriter();
                int exitCode = Main.commandLine()
                        .setOut(new PrintWriter(out))
                        .execute("status", "--uri", cluster.uri().toString());
                assertThat(exitCode).as(out.toString()).isZero();
            });
        } finally {
            load.end();
        }
    }

    /** Threads that compute. */
    private static final class Load {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final List<Thread> threads = new ArrayList<>();

        Load() {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOAD_SECONDS);
            for (int i = 0; i < BURNING; i++) {
                Thread thread = new Thread(() -> burn(end), "load-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private void burn(long end) {
            while (!ended.get() && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }

        void end() throws InterruptedException {
            ended.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
