package io.steadfs.it.rules;

import io.steadfs.hadoop.SymlinkSwitch;
import io.steadfs.it.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every rule of {@link RuleBook} on every kind of directory, on three shards where a directory with more than 4 names
 * gives half of them to another shard.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SharedRulesTest {
    private static final int AT_ONCE = 8;
    private static final long MOST_SECONDS = 60;
    private static final String ALL = "/rules";

    private final SymlinkSwitch links = new SymlinkSwitch(true);
    private final Cluster cluster;
    private final Users users;
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    SharedRulesTest(@TempDir Path data) throws IOException, InterruptedException {
        cluster = Cluster.start(data, 2, Map.of("stead.partition.split.entries", "4"));
        users = new Users(cluster.local().uri());
        users.superuser().mkdirs(new org.apache.hadoop.fs.Path(ALL));
    }

    @AfterAll
    void stop() throws IOException {
        threads.shutdownNow();
        try (links;
                cluster;
                users) {
            // All are closed, the users first.
        }
    }

    /** Rules are tried beside each other, each in a directory of its own. */
    @TestFactory
    Stream<DynamicTest> everyRuleHoldsInEveryDirectory() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Rule rule : RuleBook.ALL) {
            for (Ground ground : Ground.values()) {
                org.apache.hadoop.fs.Path base = new org.apache.hadoop.fs.Path(ALL, "" + tests.size());
                Trial trial = new Trial(users, base, rule, ground);
                Future<Void> outcome = threads.submit((Callable<Void>) () -> {
                    trial.run();
                    return null;
                });
                tests.add(DynamicTest.dynamicTest(trial.toString(), () -> await(outcome)));
            }
        }
        return tests.stream();
    }

    private static void await(Future<Void> outcome) throws Throwable {
        try {
            outcome.get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }
}
