package io.steadfs.cli.admin;

import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Waits until the shards of a file system are as they should be, and prints them. */
final class ShardsWait {
    private static final long LOOK_MILLIS = 200;

    private final CommandSpec spec;
    private final long seconds;
    private final boolean json;

    /**
     * @param spec of the command that waits
     * @param seconds value of its option --wait
     * @param json whether to print one JSON object
     * @throws ParameterException if there is no such time
     */
    ShardsWait(CommandSpec spec, long seconds, boolean json) {
        if (seconds < 0) {
            throw new ParameterException(spec.commandLine(), "--wait " + seconds + " is below 0");
        }
        this.spec = spec;
        this.seconds = seconds;
        this.json = json;
    }

    /**
     * Says what has begun, and waits for its end.
     *
     * @param isOver whether that is the state of the shards then
     * @return the exit code of the command
     */
    int after(String begun, ZooKeeperTree tree, Predicate<ShardsState> isOver) throws MembershipException {
        spec.commandLine().getErr().println("stead: " + begun);
        spec.commandLine().getErr().flush();
        ShardsState state = until(tree, isOver);
        ShownShards.print(state, json, spec.commandLine().getOut());
        return isOver.test(state) ? 0 : ListShardsCommand.UNDER_WAY;
    }

    /** Returns the last state, which has the property unless the time was over, or the thread was interrupted. */
    private ShardsState until(ZooKeeperTree tree, Predicate<ShardsState> property) throws MembershipException {
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
