package io.steadfs.rpc.netty;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.recent.RecentMessages;
import io.steadfs.wire.FrameLimits;
import java.util.List;

/**
 * The limits and times of a transport or server.
 *
 * @param frameLimits largest number of bytes of each part of a frame
 * @param frameTimeoutMillis longest pause between two bytes of a frame, in milliseconds. If calls time out and no byte
 *     arrives for this time, a client gives the connection up
 * @param serverConnections largest number of connections that a server keeps open
 * @param addressConnections largest number of connections from one address that a server keeps open
 * @param userConnections largest number of connections of one user that a server keeps open; HELLO names the user
 * @param serverInFlight largest number of requests of one connection that a server works on at a time. At this number,
 *     the server does not read the socket
 * @param serverInFlightBytes largest number of bytes of the requests of one connection that a server works on at a
 *     time. One request may exceed this number
 * @param clientInFlight largest number of unanswered calls of one client to one server; further calls fail with BUSY
 * @param clientInFlightBytes largest number of bytes of the unanswered calls of one client to one server; one call may
 *     exceed this number
 * @param connectTimeoutMillis longest time to connect to a server, in milliseconds; after that the server is
 *     UNREACHABLE
 * @param reconnectMaxMillis longest pause between two attempts to reach a server, in milliseconds
 * @param stopTimeoutMillis longest time that a stopping server waits for the requests at work, in milliseconds
 * @param incompleteBytes largest number of bytes of all incomplete frames at a server. While bytes of all these frames
 *     keep coming, twice this number is allowed
 * @param unsentBytes largest number of bytes of replies that the peer has not read; above this number the connection
 *     ends
 * @param clientIdleMillis time after which a client closes a connection without calls, in milliseconds
 * @param helloTimeoutMillis time after which a server closes a connection whose peer sent no HELLO, in milliseconds
 * @param serverIdleMillis time after which a server closes a connection without requests, in milliseconds
 * @param socketDirectory directory of the socket files, as {@link SocketFiles#DIRECTORY} has it; empty = TCP alone
 */
public record NettyOptions(
        FrameLimits frameLimits,
        long frameTimeoutMillis,
        int serverConnections,
        int addressConnections,
        int userConnections,
        int serverInFlight,
        long serverInFlightBytes,
        int clientInFlight,
        long clientInFlightBytes,
        int connectTimeoutMillis,
        long reconnectMaxMillis,
        long stopTimeoutMillis,
        long incompleteBytes,
        long unsentBytes,
        long clientIdleMillis,
        long helloTimeoutMillis,
        long serverIdleMillis,
        String socketDirectory) {

    public static final ConfigKey<Long> FRAME_TIMEOUT = ConfigKey.number(
            "stead.rpc.frame.timeout",
            30_000,
            100,
            3_600_000,
            "milliseconds",
            "A connection on which a message has begun is closed after this time without a further byte of it.");
    public static final ConfigKey<Long> CONNECTIONS = ConfigKey.number(
            "stead.rpc.connections.max",
            10_000,
            1,
            1_000_000,
            "",
            "Most connections that a server keeps open; further ones are told BUSY and closed.");
    public static final ConfigKey<Long> ADDRESS_CONNECTIONS = ConfigKey.number(
            "stead.rpc.connections.address.max",
            2_000,
            1,
            1_000_000,
            "",
            "Most connections from one address that a server keeps open; further ones are told BUSY and closed.");
    public static final ConfigKey<Long> USER_CONNECTIONS = ConfigKey.number(
            "stead.rpc.connections.user.max",
            8_000,
            1,
            1_000_000,
            "",
            "Most connections of processes of one login name that a server keeps open; further ones are told BUSY and"
                    + " closed.");
    public static final ConfigKey<Long> CONNECTION_IN_FLIGHT = ConfigKey.number(
            "stead.rpc.connection.inflight.requests",
            1024,
            1,
            1_000_000,
            "",
            "Most requests of one connection that a server works on at a time; the rest wait unread in the socket. A client"
                    + " sends no more either, and shares them among the file systems of its process.");
    public static final ConfigKey<Long> CONNECTION_IN_FLIGHT_BYTES = ConfigKey.number(
            "stead.rpc.connection.inflight.bytes",
            64 << 20,
            1 << 10,
            1L << 40,
            "bytes",
            "Most bytes of requests of one connection that a server works on at a time, and that a client sends.");
    public static final ConfigKey<Long> CLIENT_IN_FLIGHT = ConfigKey.number(
            "stead.rpc.client.inflight.calls",
            4096,
            1,
            1_000_000,
            "",
            "Most calls of one client to one server that wait for a reply; further ones are refused with BUSY.");
    public static final ConfigKey<Long> CLIENT_IN_FLIGHT_BYTES = ConfigKey.number(
            "stead.rpc.client.inflight.bytes",
            256 << 20,
            1 << 10,
            1L << 40,
            "bytes",
            "Most bytes of calls of one client to one server that wait for a reply; further ones are refused with BUSY.");
    public static final ConfigKey<Long> CONNECT_TIMEOUT = ConfigKey.number(
            "stead.rpc.connect.timeout",
            5_000,
            10,
            600_000,
            "milliseconds",
            "A server that accepts no connection in this time is unreachable.");
    public static final ConfigKey<Long> RECONNECT_MAX = ConfigKey.number(
            "stead.rpc.reconnect.max",
            1_000,
            10,
            600_000,
            "milliseconds",
            "Longest pause between two attempts to reach a server; calls in a pause fail at once.");
    public static final ConfigKey<Long> STOP_TIMEOUT = ConfigKey.number(
            "stead.rpc.stop.timeout",
            10_000,
            0,
            600_000,
            "milliseconds",
            "How long a stopping server waits for the requests that it works on.");
    public static final ConfigKey<Long> INCOMPLETE_BYTES = ConfigKey.number(
            "stead.rpc.incomplete.bytes",
            0,
            0,
            1L << 40,
            "bytes",
            "Bytes that messages which have begun and are not complete may take at a server, all connections together; 0 ="
                    + " a quarter of the heap's maximum, at least 32 MiB. Above it connections are closed of which nothing came"
                    + " for a second, and above twice as much those of which nothing came for longest.");
    public static final ConfigKey<Long> UNSENT_BYTES = ConfigKey.number(
            "stead.rpc.connection.unsent.bytes",
            256 << 20,
            1 << 20,
            1L << 40,
            "bytes",
            "Bytes of replies that a client may leave unread, while its requests are at work; above it the connection is"
                    + " closed.");
    public static final ConfigKey<Long> CLIENT_IDLE = ConfigKey.number(
            "stead.rpc.client.idle",
            60_000,
            10,
            86_400_000,
            "milliseconds",
            "A client closes a connection on which it waits for no reply for so long; the next call makes another.");
    public static final ConfigKey<Long> HELLO_TIMEOUT = ConfigKey.number(
            "stead.rpc.hello.timeout",
            10_000,
            100,
            3_600_000,
            "milliseconds",
            "A server closes a connection that has not said who it is after this time.");
    public static final ConfigKey<Long> SERVER_IDLE = ConfigKey.number(
            "stead.rpc.idle.timeout",
            600_000,
            10,
            86_400_000,
            "milliseconds",
            "A server closes a connection from which no request came for so long, and tells the peer that what it did not"
                    + " answer was not done.");

    public static final ConfigKeys KEYS = FrameLimits.KEYS.and(new ConfigKeys(List.of(
            FRAME_TIMEOUT,
            CONNECTIONS,
            ADDRESS_CONNECTIONS,
            USER_CONNECTIONS,
            CONNECTION_IN_FLIGHT,
            CONNECTION_IN_FLIGHT_BYTES,
            CLIENT_IN_FLIGHT,
            CLIENT_IN_FLIGHT_BYTES,
            CONNECT_TIMEOUT,
            RECONNECT_MAX,
            STOP_TIMEOUT,
            INCOMPLETE_BYTES,
            UNSENT_BYTES,
            CLIENT_IDLE,
            HELLO_TIMEOUT,
            SERVER_IDLE,
            RecentMessages.LENGTH,
            EventLoops.THREADS,
            SocketFiles.DIRECTORY)));

    private static long incompleteBytes(long configured) {
        return configured > 0
                ? configured
                : Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 4);
    }

    public static NettyOptions from(Settings settings) {
        return new NettyOptions(
                FrameLimits.from(settings),
                settings.get(FRAME_TIMEOUT),
                settings.get(CONNECTIONS).intValue(),
                settings.get(ADDRESS_CONNECTIONS).intValue(),
                settings.get(USER_CONNECTIONS).intValue(),
                settings.get(CONNECTION_IN_FLIGHT).intValue(),
                settings.get(CONNECTION_IN_FLIGHT_BYTES),
                settings.get(CLIENT_IN_FLIGHT).intValue(),
                settings.get(CLIENT_IN_FLIGHT_BYTES),
                settings.get(CONNECT_TIMEOUT).intValue(),
                settings.get(RECONNECT_MAX),
                settings.get(STOP_TIMEOUT),
                incompleteBytes(settings.get(INCOMPLETE_BYTES)),
                settings.get(UNSENT_BYTES),
                settings.get(CLIENT_IDLE),
                settings.get(HELLO_TIMEOUT),
                settings.get(SERVER_IDLE),
                settings.get(SocketFiles.DIRECTORY));
    }
}
