package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/**
 * Processor use of all threads that run now in some processes. Threads that ended do not count. If the system does not
 * report the use of threads, all values are 0. The system reports the values in these files:
 *
 * <pre>
 *  /proc/PID/task/TID/comm       name, cut to 15 characters
 *  /proc/PID/task/TID/schedstat  nanoseconds on a processor, nanoseconds of waiting, number of switches to the thread
 * </pre>
 *
 * @param compiling processor time of Java's just-in-time compilers. HotSpot names the compilers' threads "C1
 *     CompilerThread" and "C2 CompilerThread". A server that has run for a long time hardly compiles. A large value
 *     means that the measured server still compiles much code
 * @param switches context switches to all threads that are not compilers
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
            // The process ended, or the system has no such folder. Then the times of the process are unknown.
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
            // The thread ended meanwhile, so its file does not exist or cannot be read.
            return NOTHING;
        }
    }
}
