package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Waits until processes use next to no processor: what one round leaves behind must not disturb the next. */
public final class Rest {
    private static final long WINDOW_MILLIS = 60;

    /** A tick of the system's clock of processes, and one more: less cannot be told from none. */
    private static final Duration NEXT_TO_NONE = Duration.ofMillis(20);

    private static final int WINDOWS_AT_MOST = 50;

    private final List<Long> pids;

    public Rest(Collection<Long> pids) {
        this.pids = List.copyOf(pids);
    }

    /** Whether they came to rest; if not, it has waited {@value #WINDOWS_AT_MOST} windows of {@value #WINDOW_MILLIS} ms. */
    public boolean await() throws InterruptedException {
        Duration before = used(pids);
        for (int i = 0; i < WINDOWS_AT_MOST; i++) {
            Thread.sleep(WINDOW_MILLIS);
            Duration now = used(pids);
            if (now.minus(before).compareTo(NEXT_TO_NONE) < 0) {
                return true;
            }
            before = now;
        }
        return false;
    }

    /** Time that processors gave to them since they began; those that ended count nothing. */
    public static Duration used(Collection<Long> pids) {
        Duration sum = Duration.ZERO;
        for (long pid : pids) {
            sum = sum.plus(ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElse(Duration.ZERO));
        }
        return sum;
    }
}
