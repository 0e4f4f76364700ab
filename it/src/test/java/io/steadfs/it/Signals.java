package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;

/** Signals to processes. */
public final class Signals {
    private static final Duration SOON = Duration.ofSeconds(60);

    private Signals() {}

    /** @param name such as {@code STOP} */
    public static void send(long process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process)).start();
        assertThat(kill.waitFor()).as("kill -" + name).isZero();
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
