package io.steadfs.timeline;

import io.steadfs.error.FsError;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A server's note of a message that it received.
 *
 * @param bar the time from the message's arrival to its reply
 * @param startedNanos the time when work on the message began. If the server did not note this time, the value is the
 *     time of arrival
 * @param commit the time of the last durable commit for which the message waited, including syncs of the disk
 */
public record ServedMessage(Span bar, long startedNanos, Optional<Span> commit, FsError outcome) {
    static ServedMessage of(RecentMessage message, long laterNanos) {
        MessageTimes times = message.times();
        Span bar = new Span(times.begun(), times.ended()).later(laterNanos);
        return new ServedMessage(
                bar,
                times.started() == 0 ? bar.beginNanos() : times.started() + laterNanos,
                times.hasCommit()
                        ? Optional.of(new Span(times.commitBegun(), times.commitEnded()).later(laterNanos))
                        : Optional.empty(),
                message.outcome());
    }

    ServedMessage later(long nanos) {
        return new ServedMessage(
                bar.later(nanos), startedNanos + nanos, commit.map(span -> span.later(nanos)), outcome);
    }

    /** The fields of the note, in the order in which they are printed. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>(bar.fields());
        fields.put("startedNanos", startedNanos);
        commit.ifPresent(span -> fields.put("commit", span.fields()));
        fields.put("outcome", outcome.name());
        return fields;
    }
}
