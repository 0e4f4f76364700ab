package io.steadfs.micro;

import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How long does it take to find the shard of a name in a directory of so many partitions, from the name to the number of the shard?
 * {@code bin/stead bench micro --only Partition}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PartitionBenchmark {
    private static final int SHARDS = 16;
    private static final int NAMES = 1024;

    @Param({"1", "16", "1024"})
    public int partitions;

    private final String[] names = new String[NAMES];
    private PartitionMap map = PartitionMap.initial(Handle.of(Handle.shardOwner(0), 0, 7), SHARDS);
    private int next;

    @Setup
    public void split() {
        for (int i = 0; i < NAMES; i++) {
            names[i] = "part-" + i + "-c000.snappy.parquet";
        }
        for (int half = 1; half < partitions; half *= 2) {
            for (int partition = 0; partition < half; partition++) {
                map = map.split(partition);
            }
        }
        if (map.partitions().length != partitions) {
            throw new IllegalStateException(map.partitions().length + " partitions instead of " + partitions);
        }
    }

    @Benchmark
    public int shardOfName() {
        String name = names[next++ & NAMES - 1];
        return map.shardOf(map.ownerOf(NameHash.of(name)));
    }
}
