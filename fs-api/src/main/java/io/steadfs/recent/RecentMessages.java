package io.steadfs.recent;

import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last messages of a process in a ring of fixed length. A new message replaces the oldest message. To note a
 * message, a thread takes the next number and puts the message into the place of that number. No thread waits for
 * another. If a newer message is in the place already, it stays there. A reader starts at the newest number and goes
 * back. The reader skips a place if the message there does not have the expected number. Such a place is not written
 * yet, or a newer message was written there meanwhile.
 *
 * <pre>
 *   number   ... 4094  4095  4096 | 4097  4098          length 4096
 *   place        4094  4095     0      1     2          number mod length
 * </pre>
 *
 * <p>A process notes a message after the message has ended. So the receiver's ring has no message that is under way. It
 * also has no message whose connection ended before the reply. May be used from any thread.
 */
public final class RecentMessages {
    public static final ConfigKey<Long> LENGTH = ConfigKey.number(
            "stead.rpc.recent.messages",
            4096,
            0,
            1_000_000,
            "messages",
            "How many of the last messages that it received and sent a process keeps, with their times, for stead timeline;"
                    + " some 200 bytes each.");

    /** Largest number of messages of a page. */
    public static final int PAGE = 1_000;

    private static final int MOST_STEP_CHARACTERS = 64;

    private final int length;
    private final AtomicReferenceArray<RecentMessage> ring;
    private final AtomicLong last = new AtomicLong();

    /**
     * A page of messages, the newest first.
     *
     * @param nextBefore value of {@code before} for the next page; 0 = there are no older messages
     */
    public record Page(List<RecentMessage> messages, long nextBefore) {
        public Page {
            messages = List.copyOf(messages);
        }
    }

    /** @param length number of messages that are kept; 0 = none */
    public RecentMessages(int length) {
        this.length = length;
        this.ring = new AtomicReferenceArray<>(length);
    }

    /** Largest number of messages that are kept. */
    public int length() {
        return length;
    }

    /** Notes a request that this process received and answered. */
    public void received(
            long traceId,
            Kind kind,
            String step,
            String peer,
            int senderPort,
            long call,
            long bytes,
            FsError outcome,
            MessageTimes times) {
        if (length > 0) {
            long number = last.incrementAndGet();
            put(new RecentMessage(
                    number, true, traceId, kind, cut(step), peer, senderPort, call, bytes, outcome, times));
        }
    }

    /** Notes a request that this process sent. The request was answered, or the process gave it up. */
    public void sent(
            long traceId,
            Kind kind,
            String step,
            String server,
            int senderPort,
            long call,
            long bytes,
            FsError outcome,
            MessageTimes times) {
        if (length > 0) {
            long number = last.incrementAndGet();
            put(new RecentMessage(
                    number, false, traceId, kind, cut(step), server, senderPort, call, bytes, outcome, times));
        }
    }

    private void put(RecentMessage message) {
        int place = (int) (message.number() % length);
        @Nullable RecentMessage there = ring.getAcquire(place);
        while ((there == null || there.number() < message.number())
                && !ring.weakCompareAndSetRelease(place, there, message)) {
            there = ring.getAcquire(place);
        }
    }

    /**
     * Returns the step's name, or an empty text if the name is too long. The name comes from the sender, who is not
     * trusted.
     */
    private static String cut(String step) {
        return step.length() <= MOST_STEP_CHARACTERS ? step : "";
    }

    /**
     * Returns a page of the messages that are kept.
     *
     * @param traceId trace id of the operation whose messages are wanted; 0 = of all operations
     * @param before the page has only messages with numbers below {@code before}; 0 = the page begins with the newest
     *     message
     * @param limit largest number of messages of the page; 0, or a number above {@value #PAGE}, counts as
     *     {@value #PAGE}
     */
    public Page page(long traceId, long before, int limit) {
        int most = limit <= 0 ? PAGE : Math.min(limit, PAGE);
        long newest = last.get();
        long number = before <= 0 ? newest : Math.min(newest, before - 1);
        long oldest = Math.max(1, newest - length + 1);
        List<RecentMessage> found = new ArrayList<>();
        while (number >= oldest && found.size() < most) {
            RecentMessage message = ring.getAcquire((int) (number % length));
            if (message != null && message.number() == number && (traceId == 0 || message.traceId() == traceId)) {
                found.add(message);
            }
            number--;
        }
        return new Page(found, number >= oldest ? number + 1 : 0);
    }

    /** Returns all messages of one operation that are kept, the newest first. */
    public List<RecentMessage> of(long traceId) {
        List<RecentMessage> all = new ArrayList<>();
        long before = 0;
        do {
            Page page = page(traceId, before, PAGE);
            all.addAll(page.messages());
            before = page.nextBefore();
        } while (before != 0);
        return all;
    }
}
