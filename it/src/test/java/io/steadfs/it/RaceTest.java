package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.CreateOptions;
import io.steadfs.client.FileReader;
import io.steadfs.client.FileWriter;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two clients want the same name at the same moment: one of them gets it, the other is told so. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class RaceTest {
    private static final int ROUNDS = 100;

    private final Cluster cluster;
    private final List<SteadFs> clients;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    RaceTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 2, Map.of());
        clients = List.of(cluster.connect(Cluster.SUPERUSER, List.of()), cluster.connect(Cluster.SUPERUSER, List.of()));
    }

    @AfterAll
    void stop() throws IOException {
        threads.shutdown();
        clients.forEach(SteadFs::close);
        cluster.close();
    }

    /** What one of the two does. */
    private interface Attempt {
        void by(SteadFs fs, int client) throws IOException;
    }

    /** Both at once; what became of each, sorted. */
    private List<String> race(Attempt attempt) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        List<Future<String>> results = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int client = i;
            Callable<String> run = () -> {
                start.await(30, TimeUnit.SECONDS);
                try {
                    attempt.by(clients.get(client), client);
                    return "done";
                } catch (FsException e) {
                    return e.error().name();
                }
            };
            results.add(threads.submit(run));
        }
        return List.of(results.get(0).get(), results.get(1).get()).stream()
                .sorted()
                .toList();
    }

    private static FsPath path(String text) throws FsException {
        return FsPath.parse(text);
    }

    private void write(SteadFs fs, FsPath path, boolean overwrite, int content) throws IOException {
        try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT.withOverwrite(overwrite))) {
            writer.write(new byte[] {(byte) content}, 0, 1);
        }
    }

    private int read(FsPath path) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2);
        try (FileReader reader = clients.get(0).open(path)) {
            assertThat(reader.read(0, bytes)).isEqualTo(1);
        }
        return bytes.get(0);
    }

    @Test
    void exclusiveCreate() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath name = path("/create/" + round);
            assertThat(race((fs, client) -> write(fs, name, false, client))).containsExactly("ALREADY_EXISTS", "done");
            assertThat(read(name)).isBetween(0, 1);
        }
    }

    @Test
    void exclusiveMkdir() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath name = path("/mkdir/" + round);
            assertThat(race((fs, client) -> fs.mkdirs(name, 0755, true, true)))
                    .containsExactly("ALREADY_EXISTS", "done");
        }
    }

    @Test
    void aFileAndADirectory() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath name = path("/either/" + round);
            List<String> results = race((fs, client) -> {
                if (client == 0) {
                    write(fs, name, false, 0);
                } else {
                    fs.mkdirs(name, 0755, true, true);
                }
            });
            assertThat(results).containsOnlyOnce("done").isSubsetOf("done", "ALREADY_EXISTS", "IS_A_DIRECTORY");
        }
    }

    @Test
    void renameOntoOneName() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath target = path("/onto/target" + round);
            List<FsPath> sources = List.of(path("/onto/a" + round), path("/onto/b" + round));
            write(clients.get(0), sources.get(0), false, 0);
            write(clients.get(0), sources.get(1), false, 1);

            assertThat(race((fs, client) -> fs.rename(sources.get(client), target, RenameMode.NO_REPLACE)))
                    .containsExactly("ALREADY_EXISTS", "done");
            int loser = 1 - read(target);
            assertThat(read(sources.get(loser))).as("the loser's file stays").isEqualTo(loser);
            assertThat(clients.get(0).find(sources.get(1 - loser))).isEmpty();
        }
    }

    @Test
    void renameOfOneName() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath source = path("/one/source" + round);
            List<FsPath> targets = List.of(path("/one/a" + round), path("/one/b" + round));
            write(clients.get(0), source, false, 7);

            assertThat(race((fs, client) -> fs.rename(source, targets.get(client), RenameMode.NO_REPLACE)))
                    .containsExactly("NOT_FOUND", "done");
            boolean first = clients.get(0).find(targets.get(0)).isPresent();
            assertThat(clients.get(0).find(targets.get(1)).isPresent()).isEqualTo(!first);
            assertThat(read(targets.get(first ? 0 : 1))).isEqualTo(7);
        }
    }

    @Test
    void deleteOfOneName() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath name = path("/delete/" + round);
            write(clients.get(0), name, false, 1);

            assertThat(race((fs, client) -> fs.delete(name, false))).containsExactly("NOT_FOUND", "done");
        }
    }

    /** Both may be done; a writer whose file was replaced before its close is told. One whole file is left. */
    @Test
    void overwrite() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath name = path("/overwrite/" + round);
            List<String> results = race((fs, client) -> write(fs, name, true, client));

            assertThat(results).contains("done").isSubsetOf("done", "NOT_FOUND", "NO_SUCH_DATAFILE");
            assertThat(read(name)).isBetween(0, 1);
            assertThat(clients.get(0).stat(name).open()).isFalse();
        }
    }

    /** Directories moved into one another at the same moment never make a ring. */
    @Test
    void directoriesIntoEachOther() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath top = path("/ring/" + round);
            List<FsPath> both = List.of(top.child("a"), top.child("b"));
            clients.get(0).mkdirs(both.get(0), 0755, true, true);
            clients.get(0).mkdirs(both.get(1), 0755, true, true);

            List<String> results = race((fs, client) ->
                    fs.rename(both.get(client), both.get(1 - client).child("below"), RenameMode.NO_REPLACE));
            assertThat(results).containsOnlyOnce("done").isSubsetOf("done", "NOT_FOUND", "INVALID_RENAME");
            assertThat(clients.get(0).contentSummary(top).directories()).isEqualTo(3);
        }
    }
}
