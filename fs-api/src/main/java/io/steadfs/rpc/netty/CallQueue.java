package io.steadfs.rpc.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the calls that wait to be sent to one server, and counts the calls that the server has. The clients of the
 * process take turns, so a client with many calls delays no other client. The calls of one client keep their order.
 *
 * <p>The bytes of all calls at the server are limited. A client without a call at the server may have to wait until
 * enough bytes are free for its next call. While such a client waits for bytes, only small calls of other clients may
 * be sent. Larger calls of other clients could overtake the waiting call for ever. If the waiting call needs all bytes,
 * not even small calls of other clients may be sent. Belongs to the connection's event loop.
 */
final class CallQueue {
    /** The clients with waiting calls, in the order of their turns. Each client is in the queue once. */
    private final ArrayDeque<Room> turns = new ArrayDeque<>();

    /** The client that gets the next free bytes for its waiting call; null = no client waits for bytes. */
    private @Nullable Room owed;

    private int sentCalls;
    private long sentBytes;

    boolean isEmpty() {
        return turns.isEmpty();
    }

    void add(ClientCall call) {
        ArrayDeque<ClientCall> waiting = call.room().waiting();
        if (waiting.isEmpty()) {
            turns.add(call.room());
        }
        waiting.add(call);
    }

    /** Removes a waiting call. Returns false if the call was not waiting. */
    boolean remove(ClientCall call) {
        Room room = call.room();
        boolean waited = room.waiting().remove(call);
        if (waited && room.waiting().isEmpty()) {
            turns.remove(room);
        }
        return waited;
    }

    /** Whether the call may be sent now, before all waiting calls. */
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

    /** The first waiting call, even if the call may not be sent yet; null if no call waits. */
    @Nullable
    ClientCall first() {
        Room room = turns.peek();
        return room == null ? null : room.waiting().peek();
    }

    /** Removes and returns the call to send next; null if no call may be sent now. */
    @Nullable
    ClientCall next() {
        for (int left = turns.size(); left > 0; left--) {
            Room room = turns.remove();
            ClientCall call = room.waiting().element();
            boolean may = maySend(call);
            if (may) {
                room.waiting().remove();
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

    /** Removes and returns the waiting calls that match the condition. */
    List<ClientCall> take(Predicate<ClientCall> meant) {
        List<ClientCall> taken = new ArrayList<>();
        for (Iterator<Room> rooms = turns.iterator(); rooms.hasNext(); ) {
            ArrayDeque<ClientCall> waiting = rooms.next().waiting();
            for (Iterator<ClientCall> calls = waiting.iterator(); calls.hasNext(); ) {
                ClientCall call = calls.next();
                if (meant.test(call)) {
                    taken.add(call);
                    calls.remove();
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
        sentCalls++;
        sentBytes += call.bytes();
        call.room().sent(call.bytes());
    }

    /** Notes that the server has finished the call. */
    void settled(ClientCall call) {
        sentCalls--;
        sentBytes -= call.bytes();
        call.room().settled(call.bytes());
    }

    /** Says how many calls and bytes the server has, for an error message. */
    @Override
    public String toString() {
        return sentCalls + " calls of " + sentBytes + " bytes are at the server";
    }
}
