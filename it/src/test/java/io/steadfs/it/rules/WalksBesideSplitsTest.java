package io.steadfs.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients make directories in one that gives names all the time, and go on below them at once. */
class WalksBesideSplitsTest {
    private static final int ROUNDS = 12;
    private static final int CLIENTS = 8;
    private static final int DIRECTORIES = 80;
    private static final long MOST_SECONDS = 60;

    /** Two shards with old maps would send a walk to and fro, until it fails. */
    @Test
    @Timeout(240)
    void noWalkFails(@TempDir Path data) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (Cluster cluster = Cluster.start(data, 1, Map.of("stead.partition.split.entries", "4"));
                SteadFs superuser = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int round = 0; round < ROUNDS; round++) {
                FsPath growing = FsPath.parse("/growing-" + round);
                superuser.mkdirs(growing, 0777, true, false);
                AtomicInteger next = new AtomicInteger();
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(threads.submit((Callable<Void>) () -> {
                        try (SteadFs fs = cluster.connect("user", List.of())) {
                            int number;
                            do {
                                number = next.getAndIncrement();
                                use(fs, growing.child("d" + number));
                            } while (number < DIRECTORIES || awaitsSplit(fs, growing, end));
                        }
                        return null;
                    }));
                }
                for (Future<?> client : clients) {
                    client.get();
                }
                assertThat(superuser.partitions(growing)).hasSizeGreaterThan(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A shard splits one directory at a time, and may still be at those of earlier rounds. */
    private static boolean awaitsSplit(SteadFs fs, FsPath growing, long end) throws IOException {
        return fs.partitions(growing).size() == 1 && System.nanoTime() - end < 0;
    }

    private static void use(SteadFs fs, FsPath directory) throws IOException {
        fs.mkdirs(directory, 0777, true, false);
        fs.mkdirs(directory.child("below"), 0777, true, false);
        fs.create(directory.child("file"), CreateOptions.DEFAULT).close();
        fs.stat(directory);
        assertThat(fs.list(directory)).toIterable().hasSize(2);
        fs.partitions(directory);
    }
}
