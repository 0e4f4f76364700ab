package io.steadfs.micro;

import io.steadfs.cli.protocol.Protocol;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does it take to create an empty file with four columns by each protocol, and to close it, on a running cluster? Every
 * acknowledged step is durable. Files are deleted between iterations. {@code bin/stead bench micro --only ClusterCreate}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ClusterCreateBenchmark {
    private static final int COLUMNS = 4;

    @Param({"unified", "basecase", "compound", "leased", "precreated", "eager", "delegated", "lazy"})
    public String protocol = "";

    private final CreateOptions options = CreateOptions.DEFAULT.withLayout(COLUMNS, 0);
    private final List<FsPath> made = new ArrayList<>();
    private final List<ClusterGround> ground = new ArrayList<>();
    private long number;

    @Setup
    public void start() {
        ground.add(ClusterGround.start(Protocol.parse(protocol).settings()));
    }

    @Benchmark
    public void createAndClose() throws IOException {
        FsPath path = ClusterGround.DIRECTORY.child("part-" + number++);
        ground.get(0).fs().create(path, options).close();
        made.add(path);
    }

    @TearDown(Level.Iteration)
    public void delete() throws IOException, InterruptedException {
        for (FsPath path : made) {
            ground.get(0).fs().delete(path, false);
        }
        made.clear();
        ground.get(0).awaitQuiet();
    }

    @TearDown
    public void stop() throws IOException {
        ground.remove(0).close();
    }
}
