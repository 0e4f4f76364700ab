package io.steadfs.timeline;

import io.steadfs.error.FsError;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message as its server had it.
 *
 * @param bar from its arrival to the reply
 * @param startedNanos work on it began; where that was not noted, when it arrived
 * @param commit the durable commit that it waited for last, with the syncs of the disk
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

    /** In the order to print. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>(bar.fields());
        fields.put("startedNanos", startedNanos);
        commit.ifPresent(span -> fields.put("commit", span.fields()));
        fields.put("outcome", outcome.name());
        return fields;
    }
}
