package io.steadfs.webui.cluster;

import io.steadfs.error.FsException;
import io.steadfs.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the answer to a question for one second. The object keeps a refusal for one second too. After this second, the
 * next caller asks the question again. If one thread is asking, all other threads wait for the same answer.
 * Thread-safe.
 */
final class Fresh<T> {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Question<T> question;
    private Optional<Answer<T>> answer = Optional.empty();
    private long asked;

    /** The question. */
    interface Question<T> {
        T ask() throws FsException;
    }

    private interface Answer<T> {
        T get() throws FsException;
    }

    Fresh(Clock clock, Question<T> question) {
        this.clock = clock;
        this.question = question;
    }

    synchronized T get() throws FsException {
        if (answer.isEmpty() || clock.monotonicNanos() - asked > FRESH_NANOS) {
            Answer<T> next = ask();
            answer = Optional.of(next);
            asked = clock.monotonicNanos();
            return next.get();
        }
        return answer.get().get();
    }

    private Answer<T> ask() {
        try {
            T told = question.ask();
            return () -> told;
        } catch (FsException e) {
            return () -> {
                throw e;
            };
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
    }
}
