package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.ForwardedCall;
import io.steadfs.rpc.RequestHandler;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the refusals of a server by error. CONTINUE is not a refusal, because it sends the client to another place.
 * May be called from any thread.
 */
public final class Refusals {
    private final Map<FsError, LongAdder> counts = new EnumMap<>(FsError.class);

    public Refusals() {
        for (FsError error : FsError.values()) {
            if (error != FsError.OK && error != FsError.CONTINUE) {
                counts.put(error, new LongAdder());
            }
        }
    }

    /** Returns a door that does the same as the given door and counts the refusals. */
    public RequestHandler counted(RequestHandler door) {
        return call -> door.handle(new ForwardedCall(call, reply -> {
            count(reply.error());
            call.reply(reply);
        }));
    }

    /** Returns the counters that are not zero. The names are {@code refused.ERROR}. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((error, count) -> {
            long value = count.sum();
            if (value != 0) {
                all.put("refused." + error, value);
            }
        });
        return all;
    }

    private void count(FsError error) {
        LongAdder count = counts.get(error);
        if (count != null) {
            count.increment();
        }
    }
}
