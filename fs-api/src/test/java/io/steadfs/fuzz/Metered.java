package io.steadfs.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Feeds a trial and compares what the thread allocated meanwhile with the target's bound. */
final class Metered {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final FuzzTarget target;
    private final FuzzTarget.Trial trial;

    Metered(FuzzTarget target, FuzzTarget.Trial trial) {
        this.target = target;
        this.trial = trial;
    }

    /** @return the part of the bound that was used */
    double feed(byte[] input) throws Exception {
        long bytes = cost(input);
        long most = target.mostAllocatedBytes(input.length);
        if (bytes <= most) {
            return (double) bytes / most;
        }
        // What was loaded and compiled for the first time is not the input's; the second time it is there.
        long again = cost(input);
        if (again > most) {
            throw new AssertionError(
                    "an input of " + input.length + " bytes cost " + again + " bytes of heap, at most " + most);
        }
        return (double) again / most;
    }

    private long cost(byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        trial.feed(input);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
