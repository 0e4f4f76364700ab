package io.steadfs.cli.fsck;

import io.steadfs.fsck.Pace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line about the progress of a check, and of what comes before it, every few seconds. */
final class ShownProgress {
    private static final int EVERY_SECONDS = 5;

    private ShownProgress() {}

    /** The work for which progress is shown. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** @param line what a line says, without its beginning */
    static <T> T to(PrintWriter out, Supplier<String> line, Work<T> work) throws IOException {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stead-fsck-progress");
            thread.setDaemon(true);
            return thread;
        });
        try {
            var unused = timer.scheduleWithFixedDelay(
                    () -> {
                        out.println("fsck: " + line.get());
                        out.flush();
                    },
                    EVERY_SECONDS,
                    EVERY_SECONDS,
                    TimeUnit.SECONDS);
            return work.run();
        } finally {
            timer.shutdownNow();
        }
    }

    static String line(Pace.Look look) {
        String left = look.secondsLeft() < 0
                ? ""
                : String.format(Locale.ROOT, ", %.0f %%, about %.0f s left", 100 * look.share(), look.secondsLeft());
        return String.format(
                Locale.ROOT,
                "%s: %d rows, %.0f a second%s",
                look.stage(),
                look.stageRows(),
                look.rowsPerSecond(),
                left);
    }
}
