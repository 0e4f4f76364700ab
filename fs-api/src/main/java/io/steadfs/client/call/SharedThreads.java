package io.steadfs.client.call;

import io.steadfs.config.Settings;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all clients of this process: event loops and one thread for timers, all of them daemons. They are made for the first
 * client, by its settings, and end after the last client was closed.
 */
public final class SharedThreads {
    private static @Nullable SharedThreads present;

    private final EventLoops loops;
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final AwayServers away = new AwayServers(new SystemClock());
    private int users;

    private SharedThreads(Settings settings) {
        this.loops = EventLoops.open("stead-client", settings);
    }

    /** Counts the caller as a user until it calls {@link #release}. */
    static synchronized SharedThreads use(Settings settings) {
        SharedThreads shared = present;
        if (shared == null) {
            shared = new SharedThreads(settings);
            present = shared;
        }
        shared.users++;
        return shared;
    }

    EventLoops loops() {
        return loops;
    }

    public ThreadScheduler scheduler() {
        return scheduler;
    }

    /** Logs servers that do not answer any of these clients. */
    public AwayServers away() {
        return away;
    }

    /** May be called on any thread except the event loops' own. */
    void release() {
        synchronized (SharedThreads.class) {
            users--;
            if (users > 0) {
                return;
            }
            present = null;
        }
        scheduler.close();
        loops.close();
    }
}
