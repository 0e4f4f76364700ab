package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged is there after a stop and after a kill; what a dead writer left open is closed for it. */
@Timeout(300)
class RestartTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int STRIP = 64 << 10;

    private static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(SteadFs fs, FsPath path) throws IOException {
        try (FileReader reader = fs.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
            while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
                // A read may return less than asked for.
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    @Test
    void afterSigtermEverythingIsThere(@TempDir Path data) throws Exception {
        byte[] bytes = content(1, 5 * STRIP + 3);
        int port;
        try (LocalProcess first = LocalProcess.start(data.resolve("cluster"), 0, Map.of())) {
            port = first.address().port();
            try (SteadFs fs = first.connect()) {
                try (FileWriter writer =
                        fs.create(FsPath.parse("/a/b/file"), CreateOptions.DEFAULT.withLayout(2, STRIP))) {
                    writer.write(bytes, 0, bytes.length);
                }
                fs.setXattr(FsPath.parse("/a/b"), "user.colour", new byte[] {7}, true, false);
            }
            assertThat(first.terminate()).as("exit code after SIGTERM").isEqualTo(143);
        }
        try (LocalProcess second = LocalProcess.start(data.resolve("cluster"), 0, Map.of());
                SteadFs fs = second.connect()) {
            assertThat(second.address().port()).as("the port it had before").isEqualTo(port);
            assertThat(read(fs, FsPath.parse("/a/b/file"))).isEqualTo(bytes);
            assertThat(fs.getXattrs(FsPath.parse("/a/b"), List.of())).containsKey("user.colour");
        }
    }

    /** Writes files until told to stop, and notes those whose close returned. */
    private static final class Scribe implements Runnable {
        private final SteadFs fs;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Map<FsPath, byte[]> acknowledged = new ConcurrentHashMap<>();

        Scribe(SteadFs fs) {
            this.fs = fs;
        }

        @Override
        public void run() {
            Random random = new Random(Seed.OF_RUN);
            for (int i = 0; !stopped.get(); i++) {
                int length = random.nextInt(10) == 0 ? random.nextInt(6 * STRIP) : random.nextInt(2000);
                try {
                    write(FsPath.parse("/written/" + i % 17 + "/" + i), content(random.nextLong(), length));
                } catch (IOException e) {
                    // Its outcome is not known to us, so nothing is promised for it.
                }
            }
        }

        private void write(FsPath path, byte[] bytes) throws IOException {
            try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT.withLayout(2, STRIP))) {
                writer.write(bytes, 0, bytes.length);
            }
            acknowledged.put(path, bytes);
        }
    }

    @Test
    void afterKillsAllAcknowledgedFilesAreWhole(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        Map<String, String> settings = Map.of("stead.session.duration", "3000");
        LocalProcess running = LocalProcess.start(directory, 0, settings);
        int port = running.address().port();
        try (SteadFs fs = running.connect()) {
            Scribe scribe = new Scribe(fs);
            CompletableFuture<Void> writing = CompletableFuture.runAsync(scribe);
            for (int kill = 1; kill <= 3; kill++) {
                int files = scribe.acknowledged.size();
                await().atMost(SOON).until(() -> scribe.acknowledged.size() >= files + 100);
                running.kill();
                running = LocalProcess.start(directory, port, settings);
            }
            scribe.stopped.set(true);
            writing.join();

            assertThat(scribe.acknowledged).hasSizeGreaterThanOrEqualTo(300);
            for (Map.Entry<FsPath, byte[]> file : scribe.acknowledged.entrySet()) {
                assertThat(read(fs, file.getKey())).as("%s", file.getKey()).isEqualTo(file.getValue());
            }
            await("files whose close was never acknowledged are closed")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(openFiles(fs)).isEmpty());
            System.out.println(scribe.acknowledged.size() + " files were acknowledged over 3 kills, and all are whole");
        } finally {
            running.close();
        }
    }

    private static Map<String, FileInfo> openFiles(SteadFs fs) throws IOException {
        Map<String, FileInfo> open = new TreeMap<>();
        Iterator<Entry> files = fs.listTree(FsPath.ROOT, false);
        files.forEachRemaining(file -> {
            if (file.info().open()) {
                open.put(file.name(), file.info());
            }
        });
        return open;
    }

    @Test
    void hsyncedBytesOutliveAKillAndTheirWriter(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        Map<String, String> settings = Map.of("stead.session.duration", "2000");
        FsPath path = FsPath.parse("/log");
        byte[] bytes = content(2, 3 * STRIP + 100);
        try (EventLoops loops = EventLoops.open("writer", Settings.defaults());
                ThreadScheduler timer = new ThreadScheduler("writer")) {
            LocalProcess running = LocalProcess.start(directory, 0, settings);
            SleepyScheduler scheduler = new SleepyScheduler(timer);
            SystemClock clock = new SystemClock();
            try (NettyTransport transport = new NettyTransport(
                            loops, NettyOptions.from(Settings.defaults()), new MessageCounters(), clock);
                    SteadFs writers = SteadClient.connect(
                            transport,
                            clock,
                            scheduler,
                            Settings.defaults(),
                            List.of(running.address()),
                            LocalProcess.caller())) {
                FileWriter writer = writers.create(path, CreateOptions.DEFAULT.withLayout(2, STRIP));
                writer.write(bytes, 0, bytes.length);
                writer.hsync();
                scheduler.sleep();

                running.kill();
                running = LocalProcess.start(directory, running.address().port(), settings);
                try (SteadFs readers = running.connect()) {
                    await("the file is closed for its writer")
                            .atMost(SOON)
                            .until(() -> !readers.stat(path).open());
                    assertThat(readers.stat(path).length()).isEqualTo(bytes.length);
                    assertThat(read(readers, path)).isEqualTo(bytes);

                    scheduler.wake();
                    FsException refusal = catchThrowableOfType(FsException.class, () -> {
                        writer.write(bytes, 0, 10);
                        writer.close();
                    });
                    assertThat(refusal).as("the writer that comes back").isNotNull();
                    assertThat(refusal.error())
                            .isIn(FsError.STALE_GENERATION, FsError.NOT_WRITER, FsError.SESSION_EXPIRED);
                    assertThat(read(readers, path)).isEqualTo(bytes);
                    System.out.println("the writer that came back was told " + refusal.getMessage());
                }
            } finally {
                running.close();
            }
        }
    }
}
