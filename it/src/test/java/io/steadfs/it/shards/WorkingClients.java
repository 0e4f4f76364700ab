package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.it.Cluster;
import io.steadfs.it.Seed;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that make, write, rename and delete files, each in a session of its own, and that write one file each from the
 * first moment to the last. No operation may fail.
 */
final class WorkingClients implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int STRIP = 64 << 10;

    private final List<CompletableFuture<Void>> working = new ArrayList<>();
    private final Map<FsPath, byte[]> acknowledged = new ConcurrentHashMap<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** @param clients stay the caller's */
    WorkingClients(List<? extends SteadFs> clients) {
        for (int number = 0; number < clients.size(); number++) {
            SteadFs fs = clients.get(number);
            Random random = new Random(Seed.OF_RUN + number);
            String home = "/client-" + number;
            working.add(CompletableFuture.runAsync(() -> work(fs, home, random), task -> {
                Thread thread = new Thread(task, home);
                thread.setDaemon(true);
                thread.start();
            }));
        }
    }

    /** Clients of the superuser, each with a session of its own. The caller closes them. */
    static List<SteadClient> connect(Cluster cluster, int count) {
        List<SteadClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(cluster.connect(Cluster.SUPERUSER, List.of(), Map.of()));
        }
        return clients;
    }

    private void work(SteadFs fs, String home, Random random) {
        try (FileWriter diary = fs.create(FsPath.parse(home + "/diary"), options())) {
            byte[] page = bytes(random, 100);
            int pages = 0;
            while (!stopped.get()) {
                diary.write(page, 0, page.length);
                pages++;
                if (pages % 8 == 0) {
                    diary.hsync();
                }
                step(fs, home, pages, random);
                done.incrementAndGet();
            }
            byte[] whole = new byte[pages * page.length];
            for (int i = 0; i < pages; i++) {
                System.arraycopy(page, 0, whole, i * page.length, page.length);
            }
            acknowledged.put(FsPath.parse(home + "/diary"), whole);
        } catch (IOException e) {
            throw new IllegalStateException(home + ": " + e.getMessage(), e);
        }
    }

    private static CreateOptions options() {
        return CreateOptions.DEFAULT.withLayout(2, STRIP);
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A new directory, which comes to any shard, two files there, one of which moves away, and something old goes. */
    private void step(SteadFs fs, String home, int number, Random random) throws IOException {
        FsPath directory = FsPath.parse(home + "-" + number % 50 + "/d" + number);
        FsPath stays = directory.child("stays");
        FsPath moves = directory.child("moves");
        FsPath moved = FsPath.parse(home + "/moved-" + number);
        byte[] content = bytes(random, random.nextInt(2000));
        write(fs, stays, content);
        write(fs, moves, content);
        acknowledged.remove(moves);
        fs.rename(moves, moved, RenameMode.NO_REPLACE);
        acknowledged.put(moved, content);
        if (number % 3 == 0) {
            acknowledged.remove(stays);
            fs.delete(directory, true);
        }
        if (number % 5 == 0) {
            FsPath renamed = FsPath.parse(home + "/directory-" + number);
            byte[] before = acknowledged.remove(stays);
            if (before != null) {
                fs.rename(directory, renamed, RenameMode.NO_REPLACE);
                acknowledged.put(renamed.child("stays"), before);
            }
        }
    }

    private void write(SteadFs fs, FsPath path, byte[] content) throws IOException {
        try (FileWriter writer = fs.create(path, options())) {
            writer.write(content, 0, content.length);
        }
        acknowledged.put(path, content);
    }

    /** Returns when so many more steps were done. */
    void awaitSteps(int more) {
        long then = done.get() + more;
        await("steps of " + working.size() + " clients").atMost(SOON).until(() -> {
            working.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(CompletableFuture::join);
            return done.get() >= then;
        });
    }

    /** Ends the work; no operation may have failed. */
    void finish() {
        stopped.set(true);
        working.forEach(CompletableFuture::join);
    }

    /** Reads all that was acknowledged. */
    void requireAll(SteadFs fs) throws IOException {
        for (Map.Entry<FsPath, byte[]> file : acknowledged.entrySet()) {
            assertThat(read(fs, file.getKey())).as("%s", file.getKey()).isEqualTo(file.getValue());
        }
    }

    int files() {
        return acknowledged.size();
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

    @Override
    public void close() {
        stopped.set(true);
    }
}
