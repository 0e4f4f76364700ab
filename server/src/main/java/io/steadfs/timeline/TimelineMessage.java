package io.steadfs.timeline;

import io.steadfs.wire.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One message of an operation, with the sender's bar and the server's bar inside it. The sender's bar is missing if the
 * sender is an unknown client. The server's bar is missing if the server's note is lost or incomplete.
 *
 * @param sender {@value Timeline#CLIENT}, {@value Timeline#UNKNOWN}, a server such as {@code mds-1}, or an address that
 *     belongs to no known server
 * @param server the receiver: a server such as {@code mds-1}, or an address that belongs to no known server
 * @param bytes the size of the request's body and payload
 * @param sent the time from the sending to the reply, according to the sender
 * @param served the server's note of the message
 * @param outcome the outcome according to the sender; if the sender is unknown, according to the server
 */
public record TimelineMessage(
        Kind kind,
        String step,
        String sender,
        String server,
        long bytes,
        String outcome,
        Optional<Span> sent,
        Optional<ServedMessage> served) {
    public TimelineMessage {
        if (sent.isEmpty() && served.isEmpty()) {
            throw new IllegalArgumentException(kind + " from " + sender + " to " + server + " that nobody had");
        }
    }

    /** The sender's bar. If there is no sender's bar, the result is the server's bar. */
    public Span bar() {
        return sent.orElseGet(() -> served.orElseThrow().bar());
    }

    TimelineMessage later(long nanos) {
        return new TimelineMessage(
                kind,
                step,
                sender,
                server,
                bytes,
                outcome,
                sent.map(span -> span.later(nanos)),
                served.map(each -> each.later(nanos)));
    }

    /** The fields of the message, in the order in which they are printed. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind.name());
        fields.put("step", step);
        fields.put("from", sender);
        fields.put("to", server);
        fields.put("bytes", bytes);
        fields.put("outcome", outcome);
        sent.ifPresent(span -> fields.put("sent", span.fields()));
        served.ifPresent(each -> fields.put("served", each.fields()));
        return fields;
    }
}
