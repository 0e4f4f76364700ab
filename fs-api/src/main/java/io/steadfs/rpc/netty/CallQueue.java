package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds the calls of all clients to one server until they are sent. Also counts the calls that the server has not
 * answered. The clients take turns, so a client with many calls holds up no other client. The calls of one client keep
 * their order.
 *
 * <p>A client without a call at the server may wait because its call needs more bytes than are free. Until that
 * client's call is sent, only small calls of other clients pass it. If larger calls passed too, the client might wait
 * for ever. The queue belongs to the connection's event loop.
 */
final class CallQueue {
    /** Clients that have waiting calls. Each client is in the list once. */
    private final ArrayDeque<Room> turns = new ArrayDeque<>();

    private final AtomicInteger expected;

    /** The client whose call is sent next, as soon as enough bytes are free. Null if no client waits for bytes. */
    private @Nullable Room owed;

    private int sentCalls;
    private long sentBytes;

    /** @param expected to count the calls that wait here or are at the server; other queues count there too */
    CallQueue(AtomicInteger expected) {
        this.expected = expected;
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    void add(ClientCall call) {
        ArrayDeque<ClientCall> waiting = call.room().waiting();
        if (waiting.isEmpty()) {
            turns.add(call.room());
        }
        waiting.add(call);
        expected.incrementAndGet();
    }

    /** Removes the call from the waiting calls. Returns whether it was waiting. */
    boolean remove(ClientCall call) {
        Room room = call.room();
        boolean waited = room.waiting().remove(call);
        if (waited) {
            expected.decrementAndGet();
            if (room.waiting().isEmpty()) {
                turns.remove(room);
            }
        }
        return waited;
    }

    /** Whether this call may be sent at once, before the calls that other clients have waiting. */
    boolean mayPass(ClientCall call) {
        return call.room().waiting().isEmpty() && maySend(call);
    }

    private boolean maySend(ClientCall call) {
        return call.room().maySend(call.bytes(), sentCalls, sentBytes) && mayGoBeforeOwed(call);
    }

    private boolean mayGoBeforeOwed(ClientCall call) {
        Room first = owed;
        if (first == null || first == call.room()) {
            return true;
        }
        ClientCall waits = first.waiting().peek();
        if (waits == null || !first.hasNoneSent()) {
            owed = null;
            return true;
        }
        return call.room().isSmall(call.bytes()) && !first.needsAll(waits.bytes());
    }

    /** The first waiting call, even if it may not be sent now. */
    @Nullable
    ClientCall first() {
        Room room = turns.peek();
        return room == null ? null : room.waiting().peek();
    }

    /** Takes out the next call to send. Returns null if no call may be sent now. */
    @Nullable
    ClientCall next() {
        for (int left = turns.size(); left > 0; left--) {
            Room room = turns.remove();
            ClientCall call = room.waiting().element();
            boolean may = maySend(call);
            if (may) {
                room.waiting().remove();
                expected.decrementAndGet();
                owed = owed == room ? null : owed;
            } else if (owed == null && room.waitsForBytes(call.bytes(), sentCalls, sentBytes)) {
                owed = room;
            }
            if (!room.waiting().isEmpty()) {
                turns.add(room);
            }
            if (may) {
                return call;
            }
        }
        return null;
    }

    /** All waiting calls. */
    List<ClientCall> waiting() {
        List<ClientCall> all = new ArrayList<>();
        turns.forEach(room -> all.addAll(room.waiting()));
        return all;
    }

    /** Takes out the waiting calls that match the condition. */
    List<ClientCall> take(Predicate<ClientCall> meant) {
        List<ClientCall> taken = new ArrayList<>();
        for (Iterator<Room> rooms = turns.iterator(); rooms.hasNext(); ) {
            ArrayDeque<ClientCall> waiting = rooms.next().waiting();
            for (Iterator<ClientCall> calls = waiting.iterator(); calls.hasNext(); ) {
                ClientCall call = calls.next();
                if (meant.test(call)) {
                    taken.add(call);
                    calls.remove();
                    expected.decrementAndGet();
                }
            }
            if (waiting.isEmpty()) {
                rooms.remove();
            }
        }
        return taken;
    }

    /** Notes that the call was sent to the server. */
    void sent(ClientCall call) {
        expected.incrementAndGet();
        sentCalls++;
        sentBytes += call.bytes();
        call.room().sent(call.bytes());
    }

    /** Notes that the server has finished the call. */
    void settled(ClientCall call) {
        expected.decrementAndGet();
        sentCalls--;
        sentBytes -= call.bytes();
        call.room().settled(call.bytes());
    }

    /** Number and bytes of the calls that the server has not answered. */
    @Override
    public String toString() {
        return sentCalls + " calls of " + sentBytes + " bytes are at the server";
    }
}
