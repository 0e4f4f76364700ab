package io.steadfs.micro;

import io.steadfs.checksum.Crc32cCombine;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How long does the CRC32C of so many bytes take, on the heap and beside it? {@code bin/stead bench micro --only Checksum} */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChecksumBenchmark {
    @Param({"4096", "65536"})
    public int bytes;

    private byte[] heap = new byte[0];
    private ByteBuffer direct = ByteBuffer.allocateDirect(0);
    private Crc32cCombine combine = Crc32cCombine.forSecond(1);
    private int first;

    @Setup
    public void fill() {
        heap = new byte[bytes];
        new Random(bytes).nextBytes(heap);
        direct = ByteBuffer.allocateDirect(bytes).put(heap);
        combine = Crc32cCombine.forSecond(bytes);
        first = (int) ofHeap();
    }

    @Benchmark
    public long ofHeap() {
        CRC32C sum = new CRC32C();
        sum.update(heap, 0, heap.length);
        return sum.getValue();
    }

    @Benchmark
    public long ofDirect() {
        CRC32C sum = new CRC32C();
        sum.update(direct.flip());
        return sum.getValue();
    }

    /** The sum of two pieces from theirs, without their bytes. */
    @Benchmark
    public int combineTwo() {
        return combine.combine(first, first);
    }
}
