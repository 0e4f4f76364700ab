package io.steadfs.client.call;

import io.steadfs.config.Settings;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Transport;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections of all clients of this process, one to each server. Each request names the caller, so clients of many users can share a
 * connection. Clients with other connection settings, or another introduction, have connections of their own. A connection ends with the
 * last client that uses it, or by itself when it has been idle.
 */
public final class SharedConnections {
    private static final Map<Key, SharedConnections> PRESENT = new HashMap<>();

    private record Key(NettyOptions options, PeerIdentity self) {}

    private final Key key;
    private final SharedThreads threads;
    private final NettyTransport transport;
    private int users;

    private SharedConnections(Key key, Introduction introduction, Settings settings) {
        this.key = key;
        this.threads = SharedThreads.use(settings);
        this.transport = new NettyTransport(
                threads.loops(), key.options(), new MessageCounters(), new SystemClock(), introduction);
    }

    /** Counts the caller as a user until it calls {@link #release}. */
    public static SharedConnections use(Settings settings) {
        Introduction introduction = Introduction.client();
        Key key = new Key(NettyOptions.from(settings), introduction.self());
        synchronized (PRESENT) {
            SharedConnections shared = PRESENT.get(key);
            if (shared == null) {
                shared = new SharedConnections(key, introduction, settings);
                PRESENT.put(key, shared);
            }
            shared.users++;
            return shared;
        }
    }

    public SharedThreads threads() {
        return threads;
    }

    /** One client's part of the connections. The client closes it. */
    public Transport share(MessageCounters counters) {
        return transport.share(counters);
    }

    /** May be called on any thread except the event loops' own. */
    public void release() {
        synchronized (PRESENT) {
            users--;
            if (users > 0) {
                return;
            }
            PRESENT.remove(key);
        }
        transport.close();
        threads.release();
    }
}
