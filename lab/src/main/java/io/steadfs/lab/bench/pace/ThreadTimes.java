package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/**
 * What the system tells of the threads that some processes have now. A thread that ends takes what it had with it; where the
 * system does not tell, there is nothing.
 *
 * <pre>
 *  /proc/PID/task/TID/comm       name, cut to 15 characters
 *  /proc/PID/task/TID/schedstat  nanoseconds on a processor, nanoseconds of waiting for one, how often it was given one
 * </pre>
 *
 * @param compiling time that processors gave to Java's just-in-time compilers, the threads that HotSpot names "C1
 *     CompilerThread" and "C2 CompilerThread". A server that has run for long hardly compiles any more; how much one does that
 *     is measured tells how far the figure is from that
 * @param switches how often any other thread was given a processor: context switches to them
 */
record ThreadTimes(Duration compiling, long switches) {
    private static final String FIRST = "C1 Compiler";
    private static final String SECOND = "C2 Compiler";
    private static final ThreadTimes NOTHING = new ThreadTimes(Duration.ZERO, 0);

    static ThreadTimes of(Collection<Long> pids) {
        ThreadTimes sum = NOTHING;
        for (long pid : pids) {
            sum = sum.plus(of(Path.of("/proc", Long.toString(pid), "task")));
        }
        return sum;
    }

    private ThreadTimes plus(ThreadTimes more) {
        return new ThreadTimes(compiling.plus(more.compiling), switches + more.switches);
    }

    private static ThreadTimes of(Path tasks) {
        ThreadTimes sum = NOTHING;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                sum = sum.plus(ofThread(thread));
            }
        } catch (IOException e) {
            // The process ended, or the system has no such folder: then nothing is known of it.
            return sum;
        }
        return sum;
    }

    private static ThreadTimes ofThread(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            String told = Files.readString(thread.resolve("schedstat")).trim();
            if (name.startsWith(FIRST) || name.startsWith(SECOND)) {
                return new ThreadTimes(Duration.ofNanos(Long.parseLong(told.substring(0, told.indexOf(' ')))), 0);
            }
            return new ThreadTimes(Duration.ZERO, Long.parseLong(told.substring(told.lastIndexOf(' ') + 1)));
        } catch (IOException e) {
            // The thread ended meanwhile: there is no such file, or no such process to read it.
            return NOTHING;
        }
    }
}
