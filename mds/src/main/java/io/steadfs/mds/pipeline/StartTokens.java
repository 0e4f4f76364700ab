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
 *  token   day     4 bytes   days since 1970, when the token was given
 *          proof  32 bytes   HMAC-SHA256 with a key of the cluster secret, of:
 *                              13, "steadfs start"
 *                              day          4 bytes
 *                              start        8 bytes, the handle
 *                              session      8 bytes
 *                              request id   8 bytes
 *                              trace id     8 bytes; 0 if there is a request id
 *                              user         length, UTF-8
 *                              name         UTF-8; empty, or the name in the start to which a rename was resolved
 * </pre>
 *
 * Numbers and lengths are big-endian. A token is valid for {@value #LIFE_DAYS} days, by the wall clocks of the two
 * shards. Thread-safe.
 */
public final class StartTokens {
    /** Gives no tokens and accepts none. With one shard no walk is sent on. */
    public static final StartTokens NONE = new StartTokens(Optional.empty());

    /** How long a token is valid. The wall clocks of servers must differ by less. */
    public static final long LIFE_DAYS = 30;

    private static final byte[] LABEL = "steadfs start".getBytes(StandardCharsets.UTF_8);
    private static final int TOKEN_BYTES = Integer.BYTES + ClusterSecret.BYTES;

    private final Optional<Supplier<ClusterSecret>> secret;

    /** Whether a shard accepts a token. */
    public enum Validity {
        VALID,
        EXPIRED,
        /** No shard gave the token for this start, caller and operation. */
        FORGED
    }

    private StartTokens(Optional<Supplier<ClusterSecret>> secret) {
        this.secret = secret;
    }

    /** @param secret gives the present cluster secret */
    public static StartTokens of(Supplier<ClusterSecret> secret) {
        return new StartTokens(Optional.of(secret));
    }

    /**
     * The token with which the caller's walk goes on at the start.
     *
     * @param name the name in the start to which a rename was resolved; empty if the walk goes on
     */
    public ByteString give(Principal caller, Handle start, String name, long wallMillis) {
        if (secret.isEmpty()) {
            return ByteString.EMPTY;
        }
        int day = day(wallMillis);
        byte[] proof = secret.get().get().prove(what(day, caller, start, name));
        return ByteString.copyFrom(
                ByteBuffer.allocate(TOKEN_BYTES).putInt(day).put(proof).flip());
    }

    /** @param name as in {@link #give} */
    public Validity check(ByteString token, Principal caller, Handle start, String name, long wallMillis) {
        if (secret.isEmpty() || token.size() != TOKEN_BYTES) {
            return Validity.FORGED;
        }
        ByteBuffer bytes = token.asReadOnlyByteBuffer();
        int day = bytes.getInt();
        byte[] proof = new byte[ClusterSecret.BYTES];
        bytes.get(proof);
        if (!secret.get().get().isProven(what(day, caller, start, name), proof)) {
            return Validity.FORGED;
        }
        return Math.abs(day(wallMillis) - day) > LIFE_DAYS ? Validity.EXPIRED : Validity.VALID;
    }

    private static int day(long wallMillis) {
        return (int) TimeUnit.MILLISECONDS.toDays(wallMillis);
    }

    private static byte[] what(int day, Principal caller, Handle start, String resolved) {
        byte[] user = caller.user().getBytes(StandardCharsets.UTF_8);
        byte[] name = resolved.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(LABEL.length + 3 * Integer.BYTES + 4 * Long.BYTES + user.length + name.length)
                .putInt(LABEL.length)
                .put(LABEL)
                .putInt(day)
                .putLong(start.value())
                .putLong(caller.session())
                .putLong(caller.requestId())
                .putLong(caller.requestId() == 0 ? caller.traceId() : 0)
                .putInt(user.length)
                .put(user)
                .put(name)
                .array();
    }
}
