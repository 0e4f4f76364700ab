package io.steadfs.micro;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long do the reads and writes of RocksDB take, by the keys that a shard has? In a directory of 20,000 files whose rows are in
 * memory; committed rows are of a bounded set, so the store does not grow. {@code bin/stead bench micro --only Store}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreBenchmark {
    private final Random random = new Random(1);
    private final ShardGround ground = ShardGround.start();

    @Benchmark
    public Object getDirent() {
        return Dirents.find(ground.store().committed(), ShardGround.name(random.nextInt(ShardGround.FILES)))
                .orElseThrow();
    }

    @Benchmark
    public boolean getDirentThatIsNotThere() {
        return Dirents.find(
                        ground.store().committed(),
                        ShardGround.name(ShardGround.FILES + random.nextInt(ShardGround.FILES)))
                .isPresent();
    }

    @Benchmark
    public Object getMetafile() {
        return Metafiles.find(ground.store().committed(), ShardGround.file(random.nextInt(ShardGround.FILES)))
                .orElseThrow();
    }

    /** A row of a listing without its file's attributes. */
    @Benchmark
    @OperationsPerInvocation(ShardGround.FILES)
    public int scanDirents() {
        byte[] from = Keys.of(ShardGround.DIRECTORY.value());
        int rows = 0;
        try (ReadView.Cursor cursor = ground.store().committed().scan(ShardTables.DIRENT, from, Keys.endOf(from))) {
            while (cursor.next()) {
                rows += cursor.value().length > 0 ? 1 : 0;
            }
        }
        if (rows != ShardGround.FILES) {
            throw new IllegalStateException(rows + " rows instead of " + ShardGround.FILES);
        }
        return rows;
    }

    /** Name and metafile of one file in one batch, without waiting for the disk. */
    @Benchmark
    public void commitFile() throws IOException {
        commit(false);
    }

    /** The same, durable. */
    @Benchmark
    public void commitFileDurably() throws IOException {
        commit(true);
    }

    private void commit(boolean sync) throws IOException {
        int number = random.nextInt(ShardGround.FILES);
        Handle file = ShardGround.file(number);
        try (Overlay overlay = ground.store().overlay()) {
            DirentSet.file(ShardGround.name(number), file).replay(overlay);
            new MetafileSet(file, Rows.metafile()).replay(overlay);
            ground.store().commit(overlay, sync);
        }
    }

    @TearDown
    public void end() throws IOException {
        ground.close();
    }
}
