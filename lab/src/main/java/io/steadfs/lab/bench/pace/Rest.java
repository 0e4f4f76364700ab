package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Waits until processes use almost no processor time, so that the remaining work of a round does not disturb the next
 * round.
 */
public final class Rest {
    private static final long WINDOW_MILLIS = 60;

    /**
     * Processes at rest use less than this processor time in a window. The limit is two ticks of the clock that counts
     * processor time, because a smaller time cannot be distinguished from 0.
     */
    private static final Duration NEXT_TO_NONE = Duration.ofMillis(20);

    private static final int WINDOWS_AT_MOST = 50;

    private final List<Long> pids;

    public Rest(Collection<Long> pids) {
        this.pids = List.copyOf(pids);
    }

    /**
     * Waits at most {@value #WINDOWS_AT_MOST} windows of {@value #WINDOW_MILLIS} ms. Returns whether the processes are
     * at rest.
     */
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

    /** Processor time of the processes since their start. A process that has ended counts as 0. */
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
