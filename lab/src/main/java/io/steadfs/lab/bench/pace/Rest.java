package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Waits until processes use almost no processor time. Work left behind by one round would disturb the next round. */
public final class Rest {
    private static final long WINDOW_MILLIS = 60;

    /**
     * Processor time below this limit counts as none. The limit is two ticks of the system's clock for processor time.
     * A shorter time cannot be told from none.
     */
    private static final Duration NEXT_TO_NONE = Duration.ofMillis(20);

    private static final int WINDOWS_AT_MOST = 50;

    private final List<Long> pids;

    public Rest(Collection<Long> pids) {
        this.pids = List.copyOf(pids);
    }

    /**
     * Waits for the processes to become idle, for at most {@value #WINDOWS_AT_MOST} windows of {@value #WINDOW_MILLIS}
     * ms.
     *
     * @return whether the processes became idle
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

    /** Processor time of all these processes since their start. A process that has ended counts as zero. */
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
