package io.steadfs.timeline;

import io.steadfs.error.FsError;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message as its server noted it.
 *
 * @param bar from its arrival to the reply
 * @param startedNanos when work on it began, or when it arrived if that was not noted
 * @param commit the last durable commit that it waited for, including the syncs of the disk
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

    /** The fields in the order to print. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>(bar.fields());
        fields.put("startedNanos", startedNanos);
        commit.ifPresent(span -> fields.put("commit", span.fields()));
        fields.put("outcome", outcome.name());
        return fields;
    }
}
