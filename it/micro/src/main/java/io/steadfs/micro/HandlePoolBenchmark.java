package io.steadfs.micro;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.pool.HandlePool;
import io.steadfs.pool.PoolSize;
import io.steadfs.time.SystemClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How long does it take to get a handle from a pool whose leases have so many? The IO server answers at once, so what is told is the
 * pool's own part; with leases of one handle that is a refill each time. {@code bin/stead bench micro --only HandlePool}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandlePoolBenchmark {
    private static final long LEASE_MILLIS = 3_600_000;
    private static final int IO_SERVER = 1;

    @Param({"1", "20", "1000"})
    public int leaseOf;

    private long next = 1;
    private HandlePool pool = new HandlePool(this::grant, new SystemClock(), new PoolSize(1, 1, false));

    @org.openjdk.jmh.annotations.Setup
    public void open() {
        pool = new HandlePool(this::grant, new SystemClock(), new PoolSize(leaseOf, leaseOf, false));
    }

    private CompletableFuture<HandlePool.Granted> grant(int count) {
        Handle first = Handle.of(IO_SERVER, 0, next);
        Handle last = Handle.of(IO_SERVER, 0, next + count - 1);
        // The numbers of one incarnation do not last for minutes of this.
        next = (next + count) % (Handle.MAX_SEQUENCE - 2L * leaseOf) + 1;
        return CompletableFuture.completedFuture(new HandlePool.Granted(new HandleRange(first, last), LEASE_MILLIS));
    }

    @Benchmark
    public Handle take() {
        return pool.await().join();
    }
}
