package io.steadfs.cli.bench.pace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/**
 * Time that processors gave to Java's just-in-time compilers, the threads that HotSpot names "C1 CompilerThread" and "C2 CompilerThread". A
 * server that has run for long hardly compiles any more; how much one does that is measured tells how far the figure is from that.
 *
 * <pre>
 *  /proc/PID/task/TID/comm       name, cut to 15 characters
 *  /proc/PID/task/TID/schedstat  nanoseconds on a processor, nanoseconds of waiting for one, times
 * </pre>
 */
public final class CompilerTime {
    private static final String FIRST = "C1 Compiler";
    private static final String SECOND = "C2 Compiler";

    private CompilerTime() {}

    /** Of the compilers' threads that these processes have now; zero where the system does not tell. A thread that ends takes its time with it. */
    public static Duration used(Collection<Long> pids) {
        long nanos = 0;
        for (long pid : pids) {
            nanos += nanosOf(Path.of("/proc", Long.toString(pid), "task"));
        }
        return Duration.ofNanos(nanos);
    }

    private static long nanosOf(Path tasks) {
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                nanos += nanosOfThread(thread);
            }
        } catch (IOException e) {
            // The process ended, or the system has no such folder: then nothing is known of it.
            return nanos;
        }
        return nanos;
    }

    private static long nanosOfThread(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith(FIRST) && !name.startsWith(SECOND)) {
                return 0;
            }
            String told = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(told.substring(0, told.indexOf(' ')));
        } catch (IOException e) {
            // The thread ended meanwhile: there is no such file, or no such process to read it.
            return 0;
        }
    }
}
