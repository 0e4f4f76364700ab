package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the room that one client takes at one server: the number of unanswered calls, and the bytes of these calls.
 * Any thread may take room or give room back. The rest belongs to the event loop of the connection.
 */
final class Room {
    /**
     * A client may have this many calls at the server for each free place. Places that are kept for other clients do
     * not count as free.
     */
    private static final int TIMES_FREE = 4;
    /** This fraction of all places and bytes, 1 / KEPT, is kept for clients with few calls at the server. */
    private static final int KEPT = 4;

    private static final int FEW = 4;
    /** This fraction of all places, 1 / KEPT_FOR_FIRST, is kept for clients that have no call at the server. */
    private static final int KEPT_FOR_FIRST = 16;
    /** A call is small if it takes at most this fraction of all bytes: 1 / SMALL. */
    private static final int SMALL = 1024;

    private final NettyOptions options;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Calls that were not sent. Either there is no connection, or the connection has no free place. */
    private final ArrayDeque<ClientCall> waiting = new ArrayDeque<>();

    private int sentCalls;
    private long sentBytes;

    Room(NettyOptions options) {
        this.options = options;
    }

    // ---- from any thread

    /** Takes room for a call, if enough room is free. If a client has no other call, the call may be of any size. */
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
     * Whether one more call of the client may be sent. The share of a client grows with the number of free places. The
     * last places are for clients that have few calls or none. So clients with few calls go on, even if other clients
     * have many calls. All calls together never have more bytes than the server works on at a time. The only exception
     * is a call that is alone at the server.
     *
     * @param allCalls number of calls of all clients that the server has not answered
     * @param allBytes number of bytes of the calls that the server has not answered
     */
    boolean maySend(long callBytes, int allCalls, long allBytes) {
        return hasPlace(allCalls) && hasBytes(callBytes, allBytes);
    }

    /**
     * Whether the client has no call at the server, and its next call lacks only bytes that other clients' calls take.
     */
    boolean waitsForBytes(long callBytes, int allCalls, long allBytes) {
        return sentCalls == 0 && hasPlace(allCalls) && !hasBytes(callBytes, allBytes);
    }

    /** Whether the server has no call of this client. */
    boolean hasNoneSent() {
        return sentCalls == 0;
    }

    /** Whether a call is small. A small call hardly delays another call that waits for bytes. */
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

    /** Notes that the server has one call of this client less. */
    void settled(long callBytes) {
        sentCalls--;
        sentBytes -= callBytes;
    }
}
