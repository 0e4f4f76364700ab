package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the calls of one client to one server. The limits hold for the number and for the bytes of unanswered calls.
 * Any thread may take room and give room back. Everything else belongs to the event loop of the connection.
 */
final class Room {
    /**
     * A client may have this many times as many calls at the server as places are free. Reserved places do not count as
     * free.
     */
    private static final int TIMES_FREE = 4;
    /**
     * Size of the reserve for clients with few calls at the server. The reserve is the number of all places, or of all
     * bytes, divided by this constant.
     */
    private static final int KEPT = 4;

    private static final int FEW = 4;
    /**
     * Size of the reserve for clients without a call at the server. The reserve is the number of all places divided by
     * this constant.
     */
    private static final int KEPT_FOR_FIRST = 16;
    /** Largest size of a small call. The size is the limit of bytes at the server divided by this constant. */
    private static final int SMALL = 1024;

    private final NettyOptions options;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Calls that wait to be sent, because there is no connection or no place on the connection. */
    private final ArrayDeque<ClientCall> waiting = new ArrayDeque<>();

    private int sentCalls;
    private long sentBytes;

    Room(NettyOptions options) {
        this.options = options;
    }

    // ---- from any thread

    /**
     * Takes room for a call. Returns false if there is not enough room. The only call of a client may have any size.
     */
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
     * last places are reserved for clients with few calls or no calls. So clients with many calls cannot block other
     * clients. All sent calls together never have more bytes than the server works on. Only a call that is alone at the
     * server may have more bytes.
     *
     * @param allCalls number of unanswered calls of all clients at the server
     * @param allBytes number of bytes of the unanswered calls of all clients at the server
     */
    boolean maySend(long callBytes, int allCalls, long allBytes) {
        return hasPlace(allCalls) && hasBytes(callBytes, allBytes);
    }

    /** Whether the client has no call at the server, and its next call waits only for bytes that other clients hold. */
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

    /** Notes that the server has finished one call of this client. */
    void settled(long callBytes) {
        sentCalls--;
        sentBytes -= callBytes;
    }
}
