package io.steadfs.timeline;

import io.steadfs.wire.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One message: its sender's bar, and its server's bar inside that. One of the two may be missing: if the sender is another client than
 * ours, or if the server's note is lost or not complete.
 *
 * @param sender {@value Timeline#CLIENT}, a server such as {@code mds-1}, or an address that belongs to no server we know
 * @param server likewise
 * @param bytes of the request's body and payload
 * @param sent from sending to the answer, as the sender noted it
 * @param outcome as the sender noted it, or else as the server did
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

    /** The sender's bar, or the server's if that is missing. */
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

    /** The fields in the order to print. */
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
