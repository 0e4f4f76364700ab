package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.it.model.ModelRun;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster and the reference file system do the same random operations and must answer the same. */
class ModelTest {
    private static final long OPERATIONS = Long.getLong("stead.model.operations", 20_000);
    private static final int RESTARTS = 4;
    private static final List<String> GROUPS = List.of("staff");

    @Test
    void inLockstep(@TempDir Path data) throws IOException {
        try (Cluster cluster = Cluster.start(data, 4, Map.of());
                SteadFs operator = cluster.connect(Cluster.SUPERUSER, List.of());
                SteadFs alice = cluster.connect("alice", GROUPS);
                SteadFs bob = cluster.connect("bob", GROUPS)) {
            ModelRun run = new ModelRun(
                    Seed.OF_RUN,
                    FsPath.ROOT,
                    new ModelRun.User(Cluster.SUPERUSER, List.of(), operator),
                    List.of(new ModelRun.User("alice", GROUPS, alice), new ModelRun.User("bob", GROUPS, bob)));
            run.prepare();
            long t = System.nanoTime();
            for (int i = 0; i <= RESTARTS; i++) {
                if (i > 0) {
                    cluster.stop();
                    cluster.startAgain();
                }
                run.run(OPERATIONS / (RESTARTS + 1));
                System.out.println("after " + run.steps() + " " + (System.nanoTime() - t) / 1000000 + " ms");
            }
            run.finish();
            run.compareAll();
            System.out.println(run.outcomes());
            assertThat(run.filesWithBytes()).isPositive();
        }
    }
}
