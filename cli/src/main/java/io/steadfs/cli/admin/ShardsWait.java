package io.steadfs.cli.admin;

import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until the shards of a file system are as they should be. */
final class ShardsWait {
    private static final long LOOK_MILLIS = 200;

    private ShardsWait() {}

    /** Returns the last state, which has the property unless the time was over, or the thread was interrupted. */
    static ShardsState until(ZooKeeperTree tree, Predicate<ShardsState> property, long seconds)
            throws MembershipException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ShardsState state = ShardsState.read(tree);
        while (!property.test(state) && System.nanoTime() - end < 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return state;
            }
            state = ShardsState.read(tree);
        }
        return state;
    }
}
