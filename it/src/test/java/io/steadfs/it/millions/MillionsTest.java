package io.steadfs.it.millions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * One metadata server with a heap of 512 MiB holds {@code -Dstead.millions.files=} files, 2,000,000 by the profile
 * "millions": created and closed, listed, renamed, deleted. Prints what it took, and fails where memory grows with files.
 *
 * <p>One directory has a fiftieth of all files, 196 others share the rest.
 */
@DisabledIfSystemProperty(
        named = "stead.millions.files",
        matches = "0",
        disabledReason = "only by profile \"millions\"")
@Timeout(4 * 3600)
class MillionsTest {
    private static final int FILES = Integer.getInteger("stead.millions.files", 0);
    private static final int DIRECTORIES = 197;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 2000;
    private static final int QUARTERS = 4;
    private static final String OLD = "part-";
    private static final String NEW = "moved-";
    private static final long MIB = 1 << 20;

    private final List<SteadClient> clients = new ArrayList<>();

    private static FsPath directory(String root, int number) {
        return FsPath.ROOT.child(root).child("d" + number);
    }

    private static int filesOf(int directory) {
        int large = FILES / 50;
        int others = DIRECTORIES - 1;
        int rest = FILES - large;
        return directory == 0 ? large : rest / others + (directory <= rest % others ? 1 : 0);
    }

    private static FsPath file(String root, int directory, String names, int number) {
        return directory(root, directory).child(names + number);
    }

    /** A request with a client, any number of them at a time. */
    @FunctionalInterface
    private interface Sent {
        CompletableFuture<?> send(SteadClient client, int directory, int file);
    }

    /** The request for each of the files, many at a time; fails with the first failure. */
    private long forFiles(int fromDirectory, int toDirectory, Sent sent) throws Exception {
        Semaphore room = new Semaphore(IN_FLIGHT);
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        long count = 0;
        for (int directory = fromDirectory; directory < toDirectory; directory++) {
            for (int file = 0; file < filesOf(directory); file++) {
                room.acquire();
                var unused = sent.send(clients.get(file % CLIENTS), directory, file)
                        .whenComplete((done, failure) -> {
                            room.release();
                            if (failure != null) {
                                failures.add(failure);
                            }
                        });
                count++;
                if (!failures.isEmpty()) {
                    throw new AssertionError("file " + file + " of directory " + directory, failures.peek());
                }
            }
        }
        room.acquire(IN_FLIGHT);
        assertThat(failures).isEmpty();
        return count;
    }

    /** Lists every directory, several at a time, and finds each file once and nothing else. */
    private long listAll(String root, String names) throws Exception {
        AtomicLong next = new AtomicLong();
        AtomicLong count = new AtomicLong();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (SteadClient client : clients) {
            Thread thread = new Thread(() -> {
                try {
                    for (long directory = next.getAndIncrement();
                            directory < DIRECTORIES;
                            directory = next.getAndIncrement()) {
                        count.addAndGet(list(client, root, (int) directory, names));
                    }
                } catch (FsException | RuntimeException | AssertionError e) {
                    failures.add(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        return count.get();
    }

    private static long list(SteadClient client, String root, int directory, String names) throws FsException {
        BitSet found = new BitSet();
        long count = 0;
        for (Iterator<Entry> entries = client.list(directory(root, directory)); entries.hasNext(); ) {
            String name = entries.next().name();
            assertThat(name).startsWith(names);
            found.set(Integer.parseInt(name.substring(names.length())));
            count++;
        }
        assertThat(count).as("entries of directory %d", directory).isEqualTo(filesOf(directory));
        assertThat(found.cardinality()).as("names of directory %d", directory).isEqualTo(filesOf(directory));
        return count;
    }

    private long renameDirectories() throws FsException {
        SteadClient client = clients.get(0);
        client.mkdirs(FsPath.ROOT.child("renamed"), 0755, true, true);
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            client.rename(directory("made", directory), directory("renamed", directory), RenameMode.NO_REPLACE);
        }
        return DIRECTORIES;
    }

    private long deleteTrees() throws FsException {
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            clients.get(directory % CLIENTS).delete(directory("renamed", directory), true);
        }
        return DIRECTORIES;
    }

    private static long reclaimed(SmallMds mds) {
        await("all trees are reclaimed")
                .atMost(Duration.ofMinutes(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    StatusReply status = mds.status();
                    return status.getGaugesOrThrow("deletion.trees") == 0
                            && status.getGaugesOrThrow("deletion.datafiles") == 0;
                });
        return FILES;
    }

    @Test
    void oneServerHoldsThem(@TempDir Path directory) throws Exception {
        try (SmallMds mds = new SmallMds(directory, "-Xmx512m");
                Footprint footprint = new Footprint(mds)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(mds.connect());
            }
            try {
                run(mds, footprint);
            } finally {
                clients.forEach(SteadClient::close);
                System.out.println(footprint.table());
            }
            check(footprint);
        }
    }

    private void run(SmallMds mds, Footprint footprint) throws Exception {
        clients.get(0).mkdirs(FsPath.ROOT.child("made"), 0755, true, true);
        for (int each = 0; each < DIRECTORIES; each++) {
            clients.get(0).mkdirs(directory("made", each), 0755, true, true);
        }
        footprint.phase("nothing yet", () -> 1L);
        for (int quarter = 0; quarter < QUARTERS; quarter++) {
            int from = DIRECTORIES * quarter / QUARTERS;
            int to = DIRECTORIES * (quarter + 1) / QUARTERS;
            footprint.phase(
                    "create and close, quarter " + (quarter + 1),
                    () -> forFiles(
                            from,
                            to,
                            (client, parent, file) -> client.async()
                                    .writes()
                                    .create(file("made", parent, OLD, file), CreateOptions.DEFAULT)
                                    .thenCompose(writer -> writer.close())));
        }
        footprint.phase("list all", () -> listAll("made", OLD));
        footprint.phase("rename directories", this::renameDirectories);
        footprint.phase(
                "rename every file",
                () -> forFiles(
                        0,
                        DIRECTORIES,
                        (client, parent, file) -> client.async()
                                .names()
                                .rename(
                                        file("renamed", parent, OLD, file),
                                        file("renamed", parent, NEW, file),
                                        RenameMode.NO_REPLACE)));
        footprint.phase("list all again", () -> listAll("renamed", NEW));
        footprint.phase(
                "delete the files of the large directory",
                () -> forFiles(
                        0,
                        1,
                        (client, parent, file) ->
                                client.async().names().delete(file("renamed", parent, NEW, file), false)));
        footprint.phase("delete all directories", this::deleteTrees);
        footprint.phase("reclaim what was in them", () -> reclaimed(mds));
        assertThat(clients.get(0).list(FsPath.ROOT.child("renamed")).hasNext()).isFalse();
        assertThat(mds.status().getProblemsList()).isEmpty();
    }

    /** The heap after a collection does not follow the files; what is outside is within its bounds. */
    private static void check(Footprint footprint) {
        List<Footprint.Phase> phases = footprint.phases();
        long none = phases.get(0).heapLive();
        assertThat(phases).allSatisfy(phase -> {
            assertThat(phase.heapLive()).as("live heap after %s", phase.name()).isLessThan(none + 96 * MIB);
            assertThat(phase.blockCache())
                    .as("block cache in %s", phase.name())
                    .isLessThan(Settings.defaults().get(RocksStore.CACHE_BYTES) + 32 * MIB);
            assertThat(phase.openFiles()).as("open files in %s", phase.name()).isLessThan(1000);
            assertThat(phase.resident())
                    .as("resident memory in %s", phase.name())
                    .isLessThan(1400 * MIB);
        });
        assertThat(footprint.sawAll()).as("every look succeeded").isTrue();
    }
}
