package io.steadfs.recent;

import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last messages of a process, in a ring of fixed length: a new message takes the place of the oldest. Noting a message takes a number,
 * makes one small object and puts it into the number's place. No thread waits for another. A reader goes back from the newest number. It
 * passes over places that are not written yet or were taken again meanwhile: the number in the message shows that.
 *
 * <pre>
 *   number   ... 4094  4095  4096 | 4097  4098          length 4096
 *   place        4094  4095     0      1     2          number mod length
 * </pre>
 *
 * <p>A message is noted when it is over. So the receiver's ring has no message that is under way, and none whose connection ended before
 * the reply. May be used from any thread.
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

    /** Most messages of a page. */
    public static final int PAGE = 1_000;

    private static final int MOST_STEP_CHARACTERS = 64;

    private final int length;
    private final AtomicReferenceArray<RecentMessage> ring;
    private final AtomicLong last = new AtomicLong();

    /**
     * Some messages, the newest first.
     *
     * @param nextBefore number of the last message looked at, where older ones are left; else 0
     */
    public record Page(List<RecentMessage> messages, long nextBefore) {
        public Page {
            messages = List.copyOf(messages);
        }
    }

    /** @param length messages kept; 0 = none */
    public RecentMessages(int length) {
        this.length = length;
        this.ring = new AtomicReferenceArray<>(length);
    }

    /** Messages kept at most. */
    public int length() {
        return length;
    }

    /** Notes a request that was received here and is answered. */
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

    /** Notes a request that was sent from here and is answered, or given up. */
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
        ring.setRelease((int) (message.number() % length), message);
    }

    /** Cuts a long step name. The name comes from the sender, so its length is not trusted. */
    private static String cut(String step) {
        return step.length() <= MOST_STEP_CHARACTERS ? step : "";
    }

    /**
     * A page of the messages that are kept.
     *
     * @param traceId 0 = of all operations
     * @param before only messages with a lower number; 0 = from the newest on
     * @param limit most messages; 0 or above {@value #PAGE} counts as {@value #PAGE}
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

    /** All messages of one operation that are kept, the newest first. */
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
