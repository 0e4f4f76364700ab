package io.steadfs.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.handle.Handle;
import io.steadfs.it.SplitDirectories;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * A directory with 32 partitions on all shards, of one round of a race. In one round of eight some partitions have too
 * many names, and the race begins when the first of them has split. In one round of 64 it begins when the first of
 * these has merged again.
 */
final class WideDirectory {
    /** Names with which a partition does not split yet. */
    static final int SPLIT_ENTRIES = 2;

    /** With three shards, partitions of such a directory can split once more. */
    static final int PARTITIONS_PER_SHARD = 16;

    private static final int DEPTH = 5;
    private static final int PARTITIONS = 1 << DEPTH;
    private static final int EXPECTED_FILES = PARTITIONS * SPLIT_ENTRIES;
    private static final int CROWDED = 6;
    private static final int WITH_HAND_OVERS = 8;
    private static final int WITH_MERGES = 64;
    private static final int MOST_FILES = 3;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Three names of each partition: two in its lower half, one in its upper half. */
    private static final List<List<String>> CROWDS = IntStream.range(0, PARTITIONS)
            .mapToObj(begin -> List.of(
                    SplitDirectories.name("a", DEPTH + 1, 2 * begin),
                    SplitDirectories.name("b", DEPTH + 1, 2 * begin),
                    SplitDirectories.name("c", DEPTH + 1, 2 * begin + 1)))
            .toList();

    private final SteadFs judge;
    private final int round;
    private final FsPath path;
    private final Handle handle;
    private final List<String> crowd;
    private final int partitionsBefore;
    private final CyclicBarrier emptied = new CyclicBarrier(2);
    private final Set<String> made = new ConcurrentSkipListSet<>();

    /** @param judge makes and checks it */
    WideDirectory(SteadFs judge, FsPath path, int round) throws IOException {
        this.judge = judge;
        this.round = round;
        this.path = path;
        SplitDirectories.make(judge, path, EXPECTED_FILES);
        this.handle = judge.stat(path).handle();
        boolean withMerges = round % WITH_MERGES == WITH_MERGES - 1;
        boolean withSplits = !withMerges && round % WITH_HAND_OVERS == WITH_HAND_OVERS - 1;
        List<String> names = withMerges || withSplits ? crowd(round) : List.of();
        for (String each : names) {
            judge.mkdirs(path.child(each), 0755, false, true);
        }
        int partitions = PARTITIONS;
        if (withSplits) {
            partitions = awaitPartitions(PARTITIONS + 1, PARTITIONS + CROWDED);
        } else if (withMerges) {
            int split = awaitPartitions(PARTITIONS + CROWDED, PARTITIONS + CROWDED);
            for (String each : names) {
                judge.delete(path.child(each), false);
            }
            partitions = awaitPartitions(PARTITIONS, split - 1);
        }
        this.partitionsBefore = partitions;
        this.crowd = withSplits ? names : List.of();
    }

    private static List<String> crowd(int round) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < CROWDED; i++) {
            names.addAll(CROWDS.get((round + i * DEPTH) % PARTITIONS));
        }
        return names;
    }

    private int awaitPartitions(int least, int most) {
        return await("partitions of " + path)
                .atMost(DEADLINE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> partitions(path), partitions -> partitions >= least && partitions <= most);
    }

    private int partitions(FsPath where) throws IOException {
        return judge.partitions(where).size();
    }

    FsPath path() {
        return path;
    }

    /** Whether some of its partitions had split or merged when the race began, and some were still to do so. */
    boolean hadHandOvers() {
        return partitionsBefore > PARTITIONS && partitionsBefore < PARTITIONS + CROWDED;
    }

    /**
     * Removes the names that it has, each client its share. Returns when both have.
     *
     * @param client 0 or 1
     */
    void empty(SteadFs fs, int client) throws IOException {
        for (int i = client; i < crowd.size(); i += 2) {
            fs.delete(path.child(crowd.get(i)), false);
        }
        try {
            emptied.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } catch (BrokenBarrierException | TimeoutException e) {
            throw new IOException("the other client did not empty its share of " + path, e);
        }
    }

    /** Makes one to three files in it. */
    void fill(SteadFs fs) throws IOException {
        for (int i = 0; i <= round % MOST_FILES; i++) {
            String name = "f" + round + "-" + i;
            Races.write(fs, path.child(name), false, 1, 0, () -> made.add(name));
        }
    }

    /** How many files were made, as was acknowledged. */
    int made() {
        return made.size();
    }

    /** Requires that it is here, with all its partitions and exactly those names that it must have. */
    void requireAt(FsPath where, boolean withCrowd) throws IOException {
        assertThat(judge.stat(where).handle()).as("what is at %s", where).isEqualTo(handle);
        Set<String> names = new TreeSet<>(made);
        if (withCrowd) {
            names.addAll(crowd);
        }
        assertThat(names(where)).as("names in %s", where).isEqualTo(names);
        for (String each : made) {
            assertThat(judge.stat(where.child(each)).open())
                    .as("%s/%s is open", where, each)
                    .isFalse();
        }
        assertThat(partitions(where)).as("partitions of %s", where).isBetween(PARTITIONS, PARTITIONS + CROWDED);
    }

    /** Requires that a new directory in its place has nothing of it, and removes that. */
    void requireNothingLeft() throws IOException {
        assertThat(judge.find(path)).as("what is at %s", path).isEmpty();
        if (round % WITH_HAND_OVERS == 0) {
            judge.mkdirs(path, 0755, false, true);
            assertThat(names(path)).as("names in a new %s", path).isEmpty();
            assertThat(partitions(path)).as("partitions of a new %s", path).isEqualTo(1);
            judge.delete(path, false);
        }
    }

    /** Removes its files and then the empty directory. */
    void remove() throws IOException {
        for (String each : made) {
            judge.delete(path.child(each), false);
        }
        judge.delete(path, false);
    }

    private Set<String> names(FsPath where) throws IOException {
        Set<String> names = new TreeSet<>();
        Iterator<Entry> entries = judge.list(where);
        while (entries.hasNext()) {
            String name = entries.next().name();
            assertThat(names.add(name))
                    .as("%s/%s was listed twice", where, name)
                    .isTrue();
        }
        return names;
    }
}
