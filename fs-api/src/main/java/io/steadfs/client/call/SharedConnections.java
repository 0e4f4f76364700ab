package io.steadfs.client.call;

import io.steadfs.config.Settings;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Transport;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections that clients of this process share, one to each server. Each request names its user, so clients of
 * several users can share a connection. Clients share connections only if they have the same connection settings and
 * the same introduction. A connection is closed when it has been idle for some time, or when the last client that uses
 * the connection has closed.
 */
public final class SharedConnections {
    /** Most processes have one. The hash of so many settings takes a new process 20 ms, so this is no map. */
    private static final List<SharedConnections> PRESENT = new ArrayList<>();

    private final NettyOptions options;
    private final PeerIdentity self;
    private final SharedThreads threads;
    private final NettyTransport transport;
    private int users;

    private SharedConnections(NettyOptions options, Introduction introduction, Settings settings) {
        this.options = options;
        this.self = introduction.self();
        this.threads = SharedThreads.use(settings);
        this.transport =
                new NettyTransport(threads.loops(), options, new MessageCounters(), new SystemClock(), introduction);
    }

    /**
     * Returns the shared connections, and counts the caller as a user. The caller must call {@link #release} in the
     * end.
     */
    public static SharedConnections use(Settings settings) {
        Introduction introduction = Introduction.client();
        NettyOptions options = NettyOptions.from(settings);
        synchronized (PRESENT) {
            SharedConnections shared = find(options, introduction.self());
            if (shared == null) {
                shared = new SharedConnections(options, introduction, settings);
                PRESENT.add(shared);
            }
            shared.users++;
            return shared;
        }
    }

    private static @Nullable SharedConnections find(NettyOptions options, PeerIdentity self) {
        for (SharedConnections present : PRESENT) {
            if (present.options.equals(options) && present.self.equals(self)) {
                return present;
            }
        }
        return null;
    }

    public SharedThreads threads() {
        return threads;
    }

    /** Makes a transport for one client, which sends over the shared connections. The client closes the transport. */
    public Transport share(MessageCounters counters) {
        return transport.share(counters);
    }

    /** Ends the caller's use. May be called on any thread except a thread of the event loops. */
    public void release() {
        synchronized (PRESENT) {
            users--;
            if (users > 0) {
                return;
            }
            PRESENT.remove(this);
        }
        transport.close();
        threads.release();
    }
}
