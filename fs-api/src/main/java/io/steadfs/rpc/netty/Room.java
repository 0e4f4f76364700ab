package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room that one client takes at one server: calls without a reply, and their bytes. Room is taken and given back from any thread. The
 * rest belongs to the event loop of the connection.
 */
final class Room {
    /** A client may have so many times as many calls at the server as are free, beyond what is kept. */
    private static final int TIMES_FREE = 4;
    /** This part of all places, and bytes, is kept for clients that have few calls at the server. */
    private static final int KEPT = 4;

    private static final int FEW = 4;
    /** This part of all places is kept for clients that have none. */
    private static final int KEPT_FOR_FIRST = 16;
    /** A call of at most this part of all bytes is small. */
    private static final int SMALL = 1024;

    private final NettyOptions options;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Not sent: there is no connection, or no place on it. */
    private final ArrayDeque<ClientCall> waiting = new ArrayDeque<>();

    private int sentCalls;
    private long sentBytes;

    Room(NettyOptions options) {
        this.options = options;
    }

    // ---- from any thread

    /** Takes room for a call, if there is any; the only call may be of any size. */
    boolean take(long callBytes) {
        if (calls.incrementAndGet() > options.clientInFlight()) {
            calls.decrementAndGet();
            return false;
        }
        long before = bytes.getAndAdd(callBytes);
        if (before > 0 && before + callBytes > options.clientInFlightBytes()) {
            bytes.addAndGet(-callBytes);
            calls.decrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack(long callBytes) {
        calls.decrementAndGet();
        bytes.addAndGet(-callBytes);
    }

    @Override
    public String toString() {
        return calls + " calls of " + bytes + " bytes wait for replies already";
    }

    // ---- on the event loop

    ArrayDeque<ClientCall> waiting() {
        return waiting;
    }

    /**
     * Whether one more of its calls may be sent, where a connection has so many. What a client may have grows with what is
     * free, and the last places are for clients that have few or none: however much some have, others go on. All together
     * never have more bytes than the server works on, but for a call that is the only one.
     *
     * @param allCalls of all clients, that the server has not answered
     * @param allBytes of those
     */
    boolean maySend(long callBytes, int allCalls, long allBytes) {
        return hasPlace(allCalls) && hasBytes(callBytes, allBytes);
    }

    /** Whether its only call waits for nothing but bytes that others have. */
    boolean waitsForBytes(long callBytes, int allCalls, long allBytes) {
        return sentCalls == 0 && hasPlace(allCalls) && !hasBytes(callBytes, allBytes);
    }

    /** Whether the server has no call of it. */
    boolean hasNoneSent() {
        return sentCalls == 0;
    }

    /** Whether a call is so small that it takes next to nothing from one that waits for bytes. */
    boolean isSmall(long callBytes) {
        return callBytes <= options.serverInFlightBytes() / SMALL;
    }

    /** Whether a call goes only while the server has no other. */
    boolean needsAll(long callBytes) {
        return callBytes > options.serverInFlightBytes();
    }

    private boolean hasBytes(long callBytes, long allBytes) {
        long mostBytes = options.serverInFlightBytes();
        if (allBytes == 0) {
            return true;
        }
        if (allBytes + callBytes > mostBytes) {
            return false;
        }
        long freeBytes = mostBytes - mostBytes / KEPT - allBytes - callBytes;
        return sentBytes == 0 || sentBytes + callBytes <= TIMES_FREE * freeBytes;
    }

    private boolean hasPlace(int allCalls) {
        int most = options.serverInFlight();
        int free = most - allCalls;
        if (sentCalls == 0) {
            return free > 0;
        }
        return sentCalls < FEW ? free > most / KEPT_FOR_FIRST : sentCalls < TIMES_FREE * (long) (free - most / KEPT);
    }

    void sent(long callBytes) {
        sentCalls++;
        sentBytes += callBytes;
    }

    /** The server has one call less. */
    void settled(long callBytes) {
        sentCalls--;
        sentBytes -= callBytes;
    }
}
