package io.steadfs.micro;

import io.steadfs.client.RenameMode;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long do a stat, a rename and a listing of 1,000 files with their attributes take on a running cluster?
 * {@code bin/stead bench micro --only ClusterNames}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ClusterNamesBenchmark {
    private static final int FILES = 1000;

    private final Random random = new Random(1);
    private final FsPath here = ClusterGround.DIRECTORY.child("here");
    private final FsPath there = ClusterGround.DIRECTORY.child("there");
    private final FsPath listed = ClusterGround.DIRECTORY.child("listed");
    private final ClusterGround ground = ClusterGround.start(Map.of());
    private boolean isThere;

    @Setup
    public void make() throws IOException {
        for (int i = 0; i < FILES; i++) {
            ground.fs().create(file(i), CreateOptions.DEFAULT).close();
        }
        ground.fs().create(here, CreateOptions.DEFAULT).close();
    }

    private FsPath file(int number) {
        return listed.child("part-" + number);
    }

    @Benchmark
    public Object statHit() throws IOException {
        return ground.fs().stat(file(random.nextInt(FILES)));
    }

    @Benchmark
    public void statMiss() throws IOException {
        if (ground.fs().find(file(FILES + random.nextInt(FILES))).isPresent()) {
            throw new IllegalStateException("a file is there that nobody made");
        }
    }

    /** Durable, as all changes. */
    @Benchmark
    public void rename() throws IOException {
        if (!ground.fs().rename(isThere ? there : here, isThere ? here : there, RenameMode.NO_REPLACE)) {
            throw new IllegalStateException("a rename was refused");
        }
        isThere = !isThere;
    }

    @Benchmark
    public int listThousand() throws IOException {
        int entries = ground.fs().listSorted(listed).size();
        if (entries != FILES) {
            throw new IllegalStateException(entries + " entries instead of " + FILES);
        }
        return entries;
    }

    @TearDown
    public void stop() throws IOException {
        ground.close();
    }
}
