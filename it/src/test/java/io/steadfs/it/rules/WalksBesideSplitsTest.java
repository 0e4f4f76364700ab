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
    /** How many directories are made in a round, at least, after a client has seen a split. */
    private static final int AFTER_SPLIT = 80;

    private static final long MOST_SECONDS = 60;

    /** Two shards with old maps would send a walk to and fro, until it fails. */
    @Test
    @Timeout(240)
    void noWalkFails(@TempDir Path data) throws Exception {
        try (Cluster cluster = Cluster.start(data, 1, Map.of("stead.partition.split.entries", "4"));
                SteadFs superuser = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int round = 0; round < ROUNDS; round++) {
                FsPath growing = FsPath.parse("/growing-" + round);
                superuser.mkdirs(growing, 0777, true, false);
                grow(cluster, growing);
                assertThat(superuser.partitions(growing)).hasSizeGreaterThan(1);
            }
        }
    }

    /** A shard splits one directory at a time, and may still be at those of earlier rounds. So clients go on until it has. */
    private static void grow(Cluster cluster, FsPath growing) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
            AtomicInteger next = new AtomicInteger();
            AtomicInteger last = new AtomicInteger(Integer.MAX_VALUE);
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit((Callable<Void>) () -> {
                    try (SteadFs fs = cluster.connect("user", List.of())) {
                        int number;
                        while ((number = next.getAndIncrement()) <= last.get() && System.nanoTime() - end < 0) {
                            use(fs, growing.child("d" + number));
                            if (last.get() == Integer.MAX_VALUE
                                    && fs.partitions(growing).size() > 1) {
                                last.compareAndSet(Integer.MAX_VALUE, number + AFTER_SPLIT);
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
        }
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
