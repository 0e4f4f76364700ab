package io.steadfs.client.call;

import io.steadfs.config.Settings;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The threads that all clients of this process share: event loops, and one thread for timers. All threads are daemons.
 * The first client starts the threads, and its settings determine the number of threads. The threads end after the last
 * client has closed.
 */
public final class SharedThreads {
    private static @Nullable SharedThreads present;

    private final EventLoops loops;
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final AwayServers away = new AwayServers(new SystemClock());
    private int users;

    private SharedThreads(Settings settings) {
        this.loops = EventLoops.openForCallers("stead-client", settings);
    }

    /**
     * Returns the shared threads, and counts the caller as a user. The caller must call {@link #release} in the end.
     */
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

    /** The object that logs servers which do not answer the clients of this process. */
    public AwayServers away() {
        return away;
    }

    /** Ends the caller's use. May be called on any thread except a thread of the event loops. */
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
