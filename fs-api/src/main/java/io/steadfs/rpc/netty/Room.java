package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room that one client takes at one server: calls without a reply, and their bytes. Room is taken and given back from any thread. The
 * rest belongs to the event loop of the connection.
 */
final class Room {
    /** A client may have at the server so many times the number of free places. Kept places do not count as free. */
    private static final int TIMES_FREE = 4;
    /** One in so many of all places and bytes is kept for clients with few calls at the server. */
    private static final int KEPT = 4;

    private static final int FEW = 4;
    /** One in so many of all places is kept for clients that have no call at the server. */
    private static final int KEPT_FOR_FIRST = 16;
    /** A call is small if it takes at most one in so many of all bytes. */
    private static final int SMALL = 1024;

    private final NettyOptions options;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Calls that were not sent: there is no connection, or no place on it. */
    private final ArrayDeque<ClientCall> waiting = new ArrayDeque<>();

    private int sentCalls;
    private long sentBytes;

    Room(NettyOptions options) {
        this.options = options;
    }

    // ---- from any thread

    /** Takes room for a call, if there is any. A client's only call may be of any size. */
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
     * Whether one more of the client's calls may be sent on a connection that has so many. The share of a client grows with the number of
     * free places. The last places are for clients that have few calls or none. So however many calls some clients have, others go on. All calls together never have more bytes than the server works on. The only exception is a call that is alone.
     *
     * @param allCalls of all clients that the server has not answered
     * @param allBytes of those calls
     */
    boolean maySend(long callBytes, int allCalls, long allBytes) {
        return hasPlace(allCalls) && hasBytes(callBytes, allBytes);
    }

    /** Whether the client's only call waits just for bytes, which other clients hold. */
    boolean waitsForBytes(long callBytes, int allCalls, long allBytes) {
        return sentCalls == 0 && hasPlace(allCalls) && !hasBytes(callBytes, allBytes);
    }

    /** Whether the server has no call of this client. */
    boolean hasNoneSent() {
        return sentCalls == 0;
    }

    /** Whether a call is so small that it hardly delays a call that waits for bytes. */
    boolean isSmall(long callBytes) {
        return callBytes <= options.serverInFlightBytes() / SMALL;
    }

    /** Whether a call may be sent only while the server has no other call. */
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

    /** The server has one call less of this client. */
    void settled(long callBytes) {
        sentCalls--;
        sentBytes -= callBytes;
    }
}
