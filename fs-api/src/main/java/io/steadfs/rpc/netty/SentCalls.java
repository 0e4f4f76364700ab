package io.steadfs.rpc.netty;

import io.netty.util.collection.LongObjectHashMap;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered calls that were sent on one connection, by number. Finds the call to which a reply belongs. A call
 * that its caller gave up stays here until the server replies, because the call takes a place at the server until then.
 * Belongs to the connection's event loop.
 */
final class SentCalls {
    private final LongObjectHashMap<ClientCall> byNumber = new LongObjectHashMap<>();
    /** Number of calls whose callers still wait. */
    private int waitedFor;

    /** Adds a call that is about to be written. The call must have its number. */
    void add(ClientCall call) {
        byNumber.put(call.number(), call);
        waitedFor++;
    }

    /** Whether a caller waits for the reply to any of these calls. */
    boolean isWaitedFor() {
        return waitedFor > 0;
    }

    /** Adds to the list all calls whose callers still wait. */
    void addWaitedFor(List<ClientCall> all) {
        for (ClientCall call : byNumber.values()) {
            if (!call.isOver()) {
                all.add(call);
            }
        }
    }

    /**
     * Notes that nobody waits for the call any more. Returns false if nobody waited before, or if the call is not here.
     */
    boolean giveUp(ClientCall call) {
        if (call.isOver() || byNumber.get(call.number()) != call) {
            return false;
        }
        call.giveBack();
        waitedFor--;
        return true;
    }

    /** Kind of the request with this number. Empty if the server has no such call. */
    Optional<Kind> kindOf(long number) {
        ClientCall call = byNumber.get(number);
        return call == null ? Optional.empty() : Optional.of(call.request().kind());
    }

    /** Removes and returns the call with this number, after the server has replied; null if there is no such call. */
    @Nullable
    ClientCall remove(long number) {
        return byNumber.remove(number);
    }

    /**
     * Passes the reply to a call that was removed before. If the caller no longer waits, releases the reply's payload.
     */
    void answer(ClientCall call, Reply reply) {
        if (call.isOver()) {
            reply.payload().release();
        } else {
            call.giveBack();
            waitedFor--;
            call.answer(reply);
        }
    }

    /** Takes out all calls, because the connection is lost. */
    List<ClientCall> removeAll() {
        List<ClientCall> all = new ArrayList<>(byNumber.values());
        byNumber.clear();
        return all;
    }

    /**
     * For how long the server has been silent. A call that timed out counts if no byte came after the call was sent.
     * The silence begins when the first such call was sent. Calls that timed out earlier count too. Otherwise a series
     * of calls with short timeouts would never notice the silence.
     *
     * @param received whether any byte came on the connection
     * @param lastReadNanos time at which the last byte came, in nanoseconds; not used if no byte came
     * @return length of the silence in nanoseconds; 0 = no call that timed out was sent after the last byte
     */
    long silentNanos(long now, boolean received, long lastReadNanos) {
        long silentNanos = 0;
        for (ClientCall call : byNumber.values()) {
            if (call.isTimedOut() && (!received || call.sentNanos() - lastReadNanos > 0)) {
                silentNanos = Math.max(silentNanos, now - call.sentNanos());
            }
        }
        return silentNanos;
    }
}
