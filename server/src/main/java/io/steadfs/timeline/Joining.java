package io.steadfs.timeline;

import io.steadfs.recent.RecentMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Joins the two notes of each message: the sender's and the server's. Within an operation, a message to one server is
 * identified by its kind, the number of its call, and the sender's port. If a device on the way changed the port, then
 * the message is identified by its kind and its number alone.
 *
 * <p>Every process has its own clock, and the clocks differ. The middle of a server's bar is moved to the middle of the
 * sender's bar. So the message to the server and its reply seem to take equally long. While a server works on a
 * message, it may send other messages. The bars of these other messages move by the same amount. The bars of the
 * servers that receive these messages move too.
 *
 * <pre>
 *   client   |----------------- CREATE_METAFILE ----------------|      its own clock
 *   mds-1          |.......==========##########====|                   moved: middle below middle
 *   mds-1                     |- STAT_HANDLES -|                       moved by as much
 *   mds-2                        |..====|                              moved: middle below middle
 * </pre>
 *
 * <p>If a bar has no known sender, it is placed by the server's clock. The server's answer to RECENT_MESSAGES shows
 * that clock.
 *
 * <p>An object of this class is used once, by one thread.
 */
final class Joining {
    private final Map<String, String> names;
    private final Map<String, List<RecentMessage>> received = new HashMap<>();
    private final Map<String, List<RecentMessage>> sent = new HashMap<>();
    private final List<Kept> kept;
    private final List<TimelineMessage> joined = new ArrayList<>();
    private final Deque<Sent> toFollow = new ArrayDeque<>();

    private record Sent(String sender, RecentMessage message, long laterNanos) {}

    private record Received(String server, RecentMessage message, long laterNanos) {
        long beginNanos() {
            return message.times().begun() + laterNanos;
        }
    }

    /**
     * @param names maps the address of each server to its name
     * @param kept the notes of all servers about one operation
     */
    Joining(Map<String, String> names, List<Kept> kept) {
        this.names = names;
        this.kept = kept;
        for (Kept each : kept) {
            for (RecentMessage message : each.messages()) {
                (message.received() ? received : sent)
                        .computeIfAbsent(each.server(), unused -> new ArrayList<>())
                        .add(message);
            }
        }
    }

    /**
     * Joins all notes.
     *
     * @param own the notes of the client in this process about the operation
     */
    List<TimelineMessage> join(List<RecentMessage> own) {
        own.stream()
                .filter(message -> !message.received())
                .forEach(message -> toFollow.add(new Sent(Timeline.CLIENT, message, 0)));
        follow();
        for (Received first : withoutSender()) {
            // An earlier round of this loop may already have joined this message.
            if (of(received, first.server()).remove(first.message())) {
                add(Timeline.UNKNOWN, first.server(), first.message(), Optional.empty(), Optional.of(first));
                follow();
            }
        }
        for (Kept each : kept) {
            List<RecentMessage> left = of(sent, each.server());
            left.forEach(message -> toFollow.add(new Sent(each.server(), message, each.laterNanos())));
            left.clear();
            follow();
        }
        return joined;
    }

    /**
     * The received messages without a known sender, in the order of time. In this order a message comes before the
     * messages that it caused.
     */
    private List<Received> withoutSender() {
        List<Received> left = new ArrayList<>();
        for (Kept each : kept) {
            of(received, each.server())
                    .forEach(message -> left.add(new Received(each.server(), message, each.laterNanos())));
        }
        left.sort(Comparator.comparingLong(Received::beginNanos));
        return left;
    }

    private void follow() {
        while (!toFollow.isEmpty()) {
            Sent next = toFollow.remove();
            RecentMessage message = next.message();
            Span bar = bar(message).later(next.laterNanos());
            String server = names.getOrDefault(message.peer(), message.peer());
            Optional<Received> served = take(server, message)
                    .map(found -> new Received(
                            server, found, bar.middle() - bar(found).middle()));
            add(next.sender(), server, message, Optional.of(bar), served);
        }
    }

    private void add(
            String sender, String server, RecentMessage message, Optional<Span> bar, Optional<Received> served) {
        joined.add(new TimelineMessage(
                message.kind(),
                message.step(),
                sender,
                server,
                message.bytes(),
                message.outcome().name(),
                bar,
                served.map(each -> ServedMessage.of(each.message(), each.laterNanos()))));
        served.ifPresent(this::takeSentMeanwhile);
    }

    private void takeSentMeanwhile(Received by) {
        Span atWork = bar(by.message());
        of(sent, by.server()).removeIf(message -> {
            boolean meanwhile = atWork.holds(message.times().begun());
            if (meanwhile) {
                toFollow.add(new Sent(by.server(), message, by.laterNanos()));
            }
            return meanwhile;
        });
    }

    private Optional<RecentMessage> take(String server, RecentMessage message) {
        List<RecentMessage> all = of(received, server);
        Optional<RecentMessage> found = all.stream()
                .filter(each -> isSame(each, message) && each.senderPort() == message.senderPort())
                .findFirst()
                .or(() -> all.stream().filter(each -> isSame(each, message)).findFirst());
        found.ifPresent(all::remove);
        return found;
    }

    private static boolean isSame(RecentMessage received, RecentMessage sent) {
        return received.kind() == sent.kind() && received.call() == sent.call();
    }

    private static Span bar(RecentMessage message) {
        return new Span(message.times().begun(), message.times().ended());
    }

    private static List<RecentMessage> of(Map<String, List<RecentMessage>> messages, String server) {
        return messages.computeIfAbsent(server, unused -> new ArrayList<>());
    }
}
