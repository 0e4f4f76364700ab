package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Signals to processes. */
public final class Signals {
    private static final Duration SOON = Duration.ofSeconds(60);

    private Signals() {}

    /** Sends a signal. After {@code STOP}, this method returns when all threads of the process stand still. */
    public static void send(long process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process)).start();
        assertThat(kill.waitFor()).as("kill -" + name).isZero();
        if (name.equals("STOP")) {
            // A thread may end while it is looked at.
            await().atMost(SOON)
                    .ignoreExceptionsMatching(IOException.class::isInstance)
                    .until(() -> standsStill(process));
        }
    }

    /** On a busy machine a process may work for a while after a signal, until one of its threads takes the signal. */
    private static boolean standsStill(long process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            for (Path thread : threads.toList()) {
                if (!state(thread).equals("T")) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The state is behind the name of the thread, which is in parentheses and may have blanks. */
    private static String state(Path thread) throws IOException {
        String text = Files.readString(thread.resolve("stat"));
        return text.substring(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
    }

    /** Has the process stand still so long; it goes on in any case. */
    public static void standStill(long process, Duration time) throws IOException, InterruptedException {
        send(process, "STOP");
        try {
            awaitPassed(time);
        } finally {
            send(process, "CONT");
        }
    }

    /** Returns when the time has passed. */
    public static void awaitPassed(Duration time) {
        long begin = System.nanoTime();
        await().atMost(SOON.plus(time)).until(() -> System.nanoTime() - begin > time.toNanos());
    }
}
