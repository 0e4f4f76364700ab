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
 * When a request is sent again. The rule is about one request: each repetition carries the same request id or, to an IO server, the same
 * offset and bytes. So a repetition is harmless.
 *
 * <pre>
 * answer                                                        then
 * done, or refused for CALLER, WRITER, OPERATOR                 settled
 * BUSY UNAVAILABLE TIMED_OUT CONNECTION_LOST UNREACHABLE
 *   UNKNOWN_HOST NOT_STEADFS WRONG_SERVER CANCELLED NO_MEMORY   again after a pause
 * STALE_EPOCH NOT_OWNER                                         fetch the map, then again after a pause
 * CONTINUE                                                      on to where the reply says, at once
 * WRONG_PARTITION                                               on to where the reply's map says, at once
 * STALE_START                                                   again from the root, after a pause, a bounded number of
 *                                                               times
 * </pre>
 *
 * The pause doubles from the least to the most, and a random half of it is left out. All tries of one request together take the operation
 * timeout at most. A request whose work grows with a tree has only one try, for all that time, because a second try would begin the work
 * anew.
 */
public final class RetryRule {
    static final ConfigKey<Long> OPERATION_TIMEOUT = ConfigKey.number(
            "stead.client.operation.timeout",
            120_000,
            1,
            86_400_000,
            "milliseconds",
            "Time after which an operation that was not answered, tries included, fails.");
    static final ConfigKey<Long> REACH_TIMEOUT = ConfigKey.number(
            "stead.client.reach.timeout",
            10_000,
            100,
            86_400_000,
            "milliseconds",
            "Time after which an operation fails if no metadata server was ever reached. Once one was, operations wait for"
                    + " stead.client.operation.timeout.");
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

    /** What to do with an answer. */
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

    /** Whether the answer hints that the server is gone or has moved. */
    public static boolean hintsAtMove(FsError error) {
        return error.isSilence();
    }

    /** Milliseconds to wait after so many failures in a row, at least 1. */
    public long pauseMillis(int failures) {
        long pause = Math.min(mostPauseMillis, leastPauseMillis << Math.min(failures - 1, 20));
        synchronized (random) {
            return pause - random.nextLong(pause / 2 + 1);
        }
    }

    /** Whether a try after the pause would come too late. */
    boolean isOver(long elapsedNanos, long pauseMillis) {
        return elapsedNanos / 1_000_000 + pauseMillis >= operationTimeoutMillis;
    }

    /** As {@link #isOver}, while no metadata server was ever reached. No round of requests begins in the last tenth of the time. */
    boolean isReachingOver(long elapsedNanos, long pauseMillis) {
        return elapsedNanos / 1_000_000 + Math.max(pauseMillis, reachTimeoutMillis / 10) >= reachTimeoutMillis;
    }

    /** Milliseconds that are left to reach a first metadata server, at least 1. */
    long reachMillis(long elapsedNanos) {
        return Math.max(1, reachTimeoutMillis - elapsedNanos / 1_000_000);
    }

    /** Milliseconds that the next try may take. */
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
