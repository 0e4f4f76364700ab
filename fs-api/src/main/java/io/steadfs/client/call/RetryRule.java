package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.DeleteRequest;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Decides whether and when the client sends a request again. A repetition to a shard has the same request id. A
 * repetition to an IO server has the same offset and bytes. So a repetition is harmless.
 *
 * <pre>
 * answer                                                        then
 * done, or refused for CALLER, WRITER, OPERATOR                 settled
 * BUSY UNAVAILABLE TIMED_OUT CONNECTION_LOST UNREACHABLE
 *   UNKNOWN_HOST NOT_STEADFS WRONG_SERVER CANCELLED NO_MEMORY   again after a pause
 * STALE_EPOCH NOT_OWNER                                         fetch the map, then again after a pause
 * CONTINUE                                                      on to where the reply says, at once
 * WRONG_PARTITION                                               on to the shard that the reply names, at once
 * STALE_START                                                   again from the root, after a pause, a bounded number of
 *                                                               times
 * </pre>
 *
 * The pause doubles after each failure, from the shortest to the longest configured pause. Each pause is then shortened
 * by a random part, at most half. All tries of one request together take at most the operation timeout. If the work of
 * a request grows with the size of a tree, the first try may take the whole operation timeout. A second try of such a
 * long request would begin the work anew.
 */
public final class RetryRule {
    static final ConfigKey<Long> OPERATION_TIMEOUT = ConfigKey.number(
            "stead.client.operation.timeout",
            120_000,
            1,
            86_400_000,
            "milliseconds",
            "Time after which an unanswered operation fails. The time includes all tries of the operation.");
    static final ConfigKey<Long> REACH_TIMEOUT = ConfigKey.number(
            "stead.client.reach.timeout",
            10_000,
            100,
            86_400_000,
            "milliseconds",
            "Time after which an operation fails if the client has never reached a metadata server. After the first"
                    + " contact, operations wait for stead.client.operation.timeout.");
    static final ConfigKey<Long> ATTEMPT_TIMEOUT = ConfigKey.number(
            "stead.client.attempt.timeout",
            15_000,
            1,
            86_400_000,
            "milliseconds",
            "Time after which one unanswered request is sent again under the same request id; recursive deletes and"
                    + " content summaries, which may take long, wait for the operation timeout.");
    static final ConfigKey<Long> LEAST_PAUSE = ConfigKey.number(
            "stead.client.backoff.least", 10, 1, 60_000, "milliseconds", "Pause before the first retry.");
    static final ConfigKey<Long> MOST_PAUSE = ConfigKey.number(
            "stead.client.backoff.most", 2_000, 1, 60_000, "milliseconds", "Longest pause between retries.");
    public static final List<ConfigKey<?>> KEYS =
            List.of(OPERATION_TIMEOUT, REACH_TIMEOUT, ATTEMPT_TIMEOUT, LEAST_PAUSE, MOST_PAUSE);

    /** What the client does after an answer. */
    public enum Verdict {
        SETTLED,
        AGAIN,
        REFRESH_THEN_AGAIN,
        GO_ON_ELSEWHERE,
        FROM_THE_ROOT
    }

    private final long operationTimeoutMillis;
    private final long reachTimeoutMillis;
    private final long attemptTimeoutMillis;
    private final long leastPauseMillis;
    private final long mostPauseMillis;
    private final RandomGenerator random;

    public RetryRule(Settings settings, RandomGenerator random) {
        this.operationTimeoutMillis = settings.get(OPERATION_TIMEOUT);
        this.reachTimeoutMillis = Math.min(operationTimeoutMillis, settings.get(REACH_TIMEOUT));
        this.attemptTimeoutMillis = settings.get(ATTEMPT_TIMEOUT);
        this.leastPauseMillis = settings.get(LEAST_PAUSE);
        this.mostPauseMillis = Math.max(leastPauseMillis, settings.get(MOST_PAUSE));
        this.random = random;
    }

    public static Verdict verdict(FsError error) {
        return switch (error.resolver()) {
            case NOBODY, CALLER, WRITER, OPERATOR -> Verdict.SETTLED;
            case RETRY -> Verdict.AGAIN;
            case REFRESH ->
                switch (error) {
                    case CONTINUE, WRONG_PARTITION -> Verdict.GO_ON_ELSEWHERE;
                    case STALE_START -> Verdict.FROM_THE_ROOT;
                    default -> Verdict.REFRESH_THEN_AGAIN;
                };
        };
    }

    /** Whether the error suggests that the server is gone or has moved. */
    public static boolean hintsAtMove(FsError error) {
        return error.isSilence();
    }

    /** Milliseconds, at least 1, to wait after this number of consecutive failures. */
    public long pauseMillis(int failures) {
        long pause = Math.min(mostPauseMillis, leastPauseMillis << Math.min(failures - 1, 20));
        synchronized (random) {
            return pause - random.nextLong(pause / 2 + 1);
        }
    }

    /** Whether the operation timeout would be over after the pause. */
    boolean isOver(long elapsedNanos, long pauseMillis) {
        return elapsedNanos / 1_000_000 + pauseMillis >= operationTimeoutMillis;
    }

    /**
     * Like the method {@link #isOver}, for a client that has not yet reached any metadata server. No round of requests
     * begins in the last tenth of the reach timeout.
     */
    boolean isReachingOver(long elapsedNanos, long pauseMillis) {
        return elapsedNanos / 1_000_000 + Math.max(pauseMillis, reachTimeoutMillis / 10) >= reachTimeoutMillis;
    }

    /** Milliseconds, at least 1, that remain to reach a first metadata server. */
    long reachMillis(long elapsedNanos) {
        return Math.max(1, reachTimeoutMillis - elapsedNanos / 1_000_000);
    }

    /** Longest time that the next try may take, in milliseconds. */
    long attemptMillis(MessageLite request, long elapsedNanos) {
        long leftMillis = Math.max(1, operationTimeoutMillis - elapsedNanos / 1_000_000);
        return growsWithTree(request) ? leftMillis : Math.min(attemptTimeoutMillis, leftMillis);
    }

    private static boolean growsWithTree(MessageLite request) {
        return request instanceof ContentSummaryRequest
                || (request instanceof DeleteRequest delete && delete.getRecursive());
    }

    public long attemptTimeoutMillis() {
        return attemptTimeoutMillis;
    }

    public long reachTimeoutMillis() {
        return reachTimeoutMillis;
    }

    long operationTimeoutMillis() {
        return operationTimeoutMillis;
    }
}
