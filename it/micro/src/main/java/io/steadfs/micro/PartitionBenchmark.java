package io.steadfs.micro;

import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
    private PartitionMap map = map(0);
    private int next;

    private static PartitionMap map(int splits) {
        return PartitionMap.of(
                partition(0),
                IntStream.range(0, 1 << splits)
                        .mapToObj(number -> new PartitionMap.Partition(number, splits, partition(number)))
                        .toList());
    }

    private static Handle partition(int number) {
        return Handle.of(Handle.shardOwner(number % SHARDS), 0, 7 + number);
    }

    @Setup
    public void split() {
        for (int i = 0; i < NAMES; i++) {
            names[i] = "part-" + i + "-c000.snappy.parquet";
        }
        map = map(Integer.numberOfTrailingZeros(partitions));
    }

    @Benchmark
    public int shardOfName() {
        String name = names[next++ & NAMES - 1];
        return map.of(NameHash.of(name)).handle().shard();
    }
}
