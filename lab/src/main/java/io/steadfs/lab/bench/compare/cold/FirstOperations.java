package io.steadfs.lab.bench.compare.cold;

import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * What a new client process measured of its first operations.
 *
 * @param openNanos nanoseconds until the client had a Hadoop FileSystem; some clients connect to servers in this time,
 *     others at the first operation
 * @param first100Nanos nanoseconds from the beginning of the first operation until 100 operations had returned
 * @param first1000Nanos nanoseconds from the beginning of the first operation until 1,000 operations had returned
 */
public record FirstOperations(long openNanos, long first100Nanos, long first1000Nanos) {
    private static final String BEGINS = "FIRST ";

    /**
     * Does the task with all its threads at the same time, and measures it.
     *
     * @param openNanos nanoseconds that it took to open the file system
     */
    static FirstOperations measure(FileSystem fileSystem, ColdTask task, long openNanos)
            throws IOException, InterruptedException {
        int each = task.operationsOfThread();
        long[] began = new long[task.threads()];
        long[] returned = new long[task.operations()];
        try (Together together = new Together()) {
            together.seconds(IntStream.range(0, task.threads()).boxed().toList(), thread -> {
                began[thread] = System.nanoTime();
                for (int i = 0; i < each; i++) {
                    task.work().operation(fileSystem, task, thread + i * task.threads());
                    returned[thread * each + i] = System.nanoTime();
                }
            });
        }
        return of(openNanos, Arrays.stream(began).min().orElseThrow(), returned);
    }

    /**
     * @param begun when the threads began, as a time of {@link System#nanoTime()}
     * @param returned when each operation of all threads returned, in any order; at least {@link ColdTask#MEASURED}
     */
    static FirstOperations of(long openNanos, long begun, long[] returned) {
        long[] nanos =
                Arrays.stream(returned).map(time -> time - begun).sorted().toArray();
        return new FirstOperations(openNanos, nanos[99], nanos[ColdTask.MEASURED - 1]);
    }

    /** Seconds until the client had a Hadoop FileSystem. */
    public double openSeconds() {
        return openNanos / 1e9;
    }

    /** Operations a second over the first 100 operations. */
    public double rateOf100() {
        return 100 * 1e9 / first100Nanos;
    }

    /** Operations a second over the first 1,000 operations. */
    public double rateOf1000() {
        return 1000 * 1e9 / first1000Nanos;
    }

    /** The line that tells this to another process. */
    String line() {
        return BEGINS + openNanos + " " + first100Nanos + " " + first1000Nanos;
    }

    /** Reads a line of {@link #line}; empty if the line is another one. */
    static Optional<FirstOperations> parse(String line) {
        if (!line.startsWith(BEGINS)) {
            return Optional.empty();
        }
        long[] nanos = Arrays.stream(line.substring(BEGINS.length()).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        return Optional.of(new FirstOperations(nanos[0], nanos[1], nanos[2]));
    }
}
