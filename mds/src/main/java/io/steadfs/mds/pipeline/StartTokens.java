package io.steadfs.mds.pipeline;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.hello.ClusterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tokens for the starts of path walks (docs/decisions/0031). A shard that sends a walk on gives a token for the object
 * where the walk goes on. The next shard accepts no start without it. So nobody can begin a walk at a handle to which no
 * walk of the same operation has led.
 *
 * <pre>
 *  token   hour    4 bytes   hours since 1970, when the token was given
 *          proof  32 bytes   HMAC-SHA256 with a key of the cluster secret, of:
 *                              13, "steadfs start"
 *                              hour       4 bytes
 *                              start      8 bytes, the handle
 *                              session    8 bytes
 *                              operation  8 bytes
 *                              user       UTF-8
 * </pre>
 *
 * Numbers are big-endian. A token lasts for a day, by the wall clocks of the two shards. Thread-safe.
 */
public final class StartTokens {
    /** Gives no tokens and accepts none. */
    public static final StartTokens NONE = new StartTokens(Optional.empty());

    /** How long a token lasts. Clocks of servers may differ by as much. */
    public static final long LIFE_HOURS = 24;

    private static final byte[] LABEL = "steadfs start".getBytes(StandardCharsets.UTF_8);
    private static final int TOKEN_BYTES = Integer.BYTES + ClusterSecret.BYTES;

    private final Optional<Supplier<ClusterSecret>> secret;

    /** What is to be said of a token. */
    public enum Standing {
        GOOD,
        /** The token was right, and does not last any more. */
        OVER,
        /** No shard gave the token for this start, caller and operation. */
        WRONG
    }

    private StartTokens(Optional<Supplier<ClusterSecret>> secret) {
        this.secret = secret;
    }

    /** @param secret gives the present cluster secret */
    public static StartTokens of(Supplier<ClusterSecret> secret) {
        return new StartTokens(Optional.of(secret));
    }

    /** The token with which the caller's walk goes on at the start. */
    public ByteString give(Principal caller, Handle start, long wallMillis) {
        if (secret.isEmpty()) {
            return ByteString.EMPTY;
        }
        int hour = hour(wallMillis);
        byte[] proof = secret.get().get().prove(what(hour, caller, start));
        return ByteString.copyFrom(
                ByteBuffer.allocate(TOKEN_BYTES).putInt(hour).put(proof).flip());
    }

    public Standing check(ByteString token, Principal caller, Handle start, long wallMillis) {
        if (secret.isEmpty() || token.size() != TOKEN_BYTES) {
            return Standing.WRONG;
        }
        ByteBuffer bytes = token.asReadOnlyByteBuffer();
        int hour = bytes.getInt();
        byte[] proof = new byte[ClusterSecret.BYTES];
        bytes.get(proof);
        if (!secret.get().get().isProven(what(hour, caller, start), proof)) {
            return Standing.WRONG;
        }
        return Math.abs(hour(wallMillis) - hour) > LIFE_HOURS ? Standing.OVER : Standing.GOOD;
    }

    private static int hour(long wallMillis) {
        return (int) TimeUnit.MILLISECONDS.toHours(wallMillis);
    }

    private static byte[] what(int hour, Principal caller, Handle start) {
        byte[] user = caller.user().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(LABEL.length + 2 * Integer.BYTES + 3 * Long.BYTES + user.length)
                .putInt(LABEL.length)
                .put(LABEL)
                .putInt(hour)
                .putLong(start.value())
                .putLong(caller.session())
                .putLong(caller.operation())
                .put(user)
                .array();
    }
}
