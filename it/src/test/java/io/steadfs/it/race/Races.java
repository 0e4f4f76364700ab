package io.steadfs.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.it.Grounds;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Rounds of two clients that do something at the same moment. The names of a round are in directories on all combinations
 * of shards. Each round is checked when it ends; after the last one the tree is compared with what the rounds left, and
 * nothing is to be finished behind it. {@code -Dstead.race.rounds=} says how many of each.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class Races<C> {
    static final int ROUNDS = Integer.getInteger("stead.race.rounds", 200);

    /** Every so many rounds the files have bytes, which are read back. */
    private static final int WITH_BYTES = 8;

    private static final Duration BACKGROUND_WORK = Duration.ofMinutes(2);
    /** Gauges of what goes on behind the operations. */
    private static final List<String> UNFINISHED = List.of("intents.", "outbox.", "deletion.", "recovery.");

    final C cluster;
    /** Prepares and checks the rounds. */
    final SteadFs judge;

    final List<SteadFs> clients;

    private final Lanes lanes;
    private final int shards;
    private final Path report;

    /**
     * @param report name of the file that gets a line for each kind of race
     * @param first makes the first of the two clients, and the judge
     */
    Races(String report, int shards, C cluster, Function<C, SteadFs> first, Function<C, SteadFs> second)
            throws IOException {
        this.report = Path.of("target", report);
        this.shards = shards;
        this.cluster = cluster;
        this.judge = first.apply(cluster);
        this.clients = List.of(first.apply(cluster), second.apply(cluster));
        this.lanes = new Lanes(clients);
        Files.deleteIfExists(this.report);
    }

    /** Gauges of all servers that are not 0 and whose names begin so. */
    abstract Map<String, Long> gauges(List<String> prefixes) throws FsException;

    /** Called before each round is prepared, by several threads. */
    void beforeRound(int number) throws IOException {}

    /** Called before the first round of a race. */
    void prepare(Grounds grounds) throws IOException {}

    void close() {
        lanes.close();
        clients.forEach(SteadFs::close);
        judge.close();
    }

    /** Makes a contest in its directories. */
    interface Course {
        Contest.Round round(Grounds grounds, int number) throws IOException;
    }

    void run(String name, Course course) throws Exception {
        run(name, lanes, course);
    }

    void run(String name, Lanes between, Course course) throws Exception {
        Grounds grounds = Grounds.make(judge, name, shards);
        prepare(grounds);
        long began = System.nanoTime();
        Lanes.Result result = between.run(ROUNDS, number -> {
            beforeRound(number);
            return course.round(grounds, number);
        });
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();

        assertThat(grounds.everything(judge)).as("all that is left").isEqualTo(result.left());
        await("what goes on behind")
                .atMost(BACKGROUND_WORK)
                .pollInterval(Duration.ofMillis(50))
                // A server may have come back just now, and not answer yet.
                .ignoreException(FsException.class)
                .untilAsserted(() -> assertThat(gauges(UNFINISHED)).isEmpty());
        assertThat(grounds.everything(judge)).as("all that is left at the end").isEqualTo(result.left());
        report(name, result, seconds);
    }

    private void report(String name, Lanes.Result result, long seconds) throws IOException {
        String line = "| " + name + " | " + ROUNDS + " | " + seconds + " s | " + result.longestMillis() + " ms | "
                + result.outcomes() + " |";
        System.out.println(line);
        Files.writeString(report, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static void write(SteadFs fs, FsPath path, boolean overwrite, int content, int bytes) throws IOException {
        write(fs, path, overwrite, content, bytes, () -> {});
    }

    /** @param made called when the file is there, before its bytes are written */
    static void write(SteadFs fs, FsPath path, boolean overwrite, int content, int bytes, Runnable made)
            throws IOException {
        CreateOptions options = new CreateOptions(0644, overwrite, false, 0755, 1, 0, 0);
        try (FileWriter writer = fs.create(path, options)) {
            made.run();
            for (int i = 0; i < bytes; i++) {
                writer.write(new byte[] {(byte) content}, 0, 1);
            }
        }
    }

    /** A file of one of the two. */
    Handle file(int round, FsPath path, int content) throws IOException {
        write(judge, path, false, content, bytes(round));
        return judge.stat(path).handle();
    }

    /** How many bytes the files of a round have. */
    int bytes(int round) {
        return round % WITH_BYTES == 0 ? 1 : 0;
    }

    Handle directory(FsPath path) throws IOException {
        return judge.mkdirs(path, 0755, false, true).handle();
    }

    /** A closed, whole file. */
    Map.Entry<FsPath, Handle> closed(int round, FsPath path, int content) throws IOException {
        FileInfo file = judge.stat(path);
        assertThat(file.directory()).as("%s is a directory", path).isFalse();
        assertThat(file.open()).as("%s is open", path).isFalse();
        if (bytes(round) > 0) {
            ByteBuffer bytes = ByteBuffer.allocate(2);
            try (FileReader reader = judge.open(path)) {
                assertThat(reader.read(0, bytes)).as("bytes in %s", path).isEqualTo(1);
            }
            assertThat((int) bytes.get(0)).as("content of %s", path).isEqualTo(content);
        }
        return Map.entry(path, file.handle());
    }

    /** The object is there under this name. */
    void isAt(FsPath path, Handle object) throws IOException {
        assertThat(judge.stat(path).handle()).as("what is at %s", path).isEqualTo(object);
    }

    void isGone(FsPath path) throws IOException {
        assertThat(judge.find(path)).as("what is at %s", path).isEmpty();
    }
}
