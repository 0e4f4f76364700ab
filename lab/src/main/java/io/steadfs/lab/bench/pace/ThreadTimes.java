package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/**
 * The processor use of the present threads of some processes. The values of ended threads are lost. If the system gives
 * no values, all values are 0.
 *
 * <pre>
 *  /proc/PID/task/TID/comm       name, cut to 15 characters
 *  /proc/PID/task/TID/schedstat  nanoseconds on a processor, nanoseconds of waiting for one, how often it was given one
 * </pre>
 *
 * @param compiling processor time of Java's just-in-time compilers. HotSpot names the compiler threads "C1
 *     CompilerThread" and "C2 CompilerThread". A server that has run for a long time hardly compiles. So the compiling
 *     time shows how far the measured server is from a server that has run for a long time
 * @param switches number of context switches to threads that are no compiler threads
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
            // The process has ended, or the system has no such folder. Nothing is known of the process.
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
            // The thread has ended in the meantime, so the file cannot be read.
            return NOTHING;
        }
    }
}
