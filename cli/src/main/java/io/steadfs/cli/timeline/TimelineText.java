package io.steadfs.cli.timeline;

import io.steadfs.cli.report.TextTable;
import io.steadfs.timeline.ServedMessage;
import io.steadfs.timeline.Timeline;
import io.steadfs.timeline.TimelineMessage;
import io.steadfs.timeline.Traces;
import java.util.List;
import java.util.Locale;

/** Draws a timeline with characters. Each client and each server has a lane. Each bar on a lane has a line. */
final class TimelineText {
    static final String LEGEND = "- sent   . waits   = works   # commits durably\n";

    private TimelineText() {}

    /** @param title describes the operation */
    static String of(String title, Timeline timeline) {
        List<TimelineMessage> messages = timeline.messages();
        StringBuilder text = new StringBuilder(title)
                .append(": trace ")
                .append(Traces.name(timeline.traceId()))
                .append(", ")
                .append(messages.size())
                .append(messages.size() == 1 ? " message, " : " messages, ")
                .append(micros(timeline.nanos()))
                .append(" us\n");
        TextTable table =
                new TextTable(3, "lane", "message", "other end", "no", "us", "commit us", scale(timeline.nanos()));
        BarLine bars = new BarLine(timeline.nanos());
        for (String lane : timeline.lanes()) {
            for (int i = 0; i < messages.size(); i++) {
                TimelineMessage message = messages.get(i);
                String number = Integer.toString(i + 1);
                if (message.sender().equals(lane)) {
                    message.sent().ifPresent(bar -> {
                        String outcome = message.outcome().equals("OK") ? "" : ", " + message.outcome();
                        String other = "to " + message.server() + outcome;
                        table.row(lane, message.kind(), other, number, micros(bar.nanos()), "", bars.sent(bar));
                    });
                }
                if (message.server().equals(lane)) {
                    message.served()
                            .ifPresent(served -> table.row(
                                    lane,
                                    message.kind(),
                                    "from " + message.sender(),
                                    number,
                                    micros(served.bar().nanos()),
                                    commit(served),
                                    bars.served(served)));
                }
            }
        }
        text.append(table);
        timeline.problems().forEach(line -> text.append("PROBLEM ").append(line).append('\n'));
        return text.toString();
    }

    private static String commit(ServedMessage served) {
        return served.commit().map(span -> micros(span.nanos())).orElse("");
    }

    private static String scale(long nanos) {
        String end = micros(nanos) + " us";
        return "0" + " ".repeat(Math.max(1, BarLine.CHARACTERS - 1 - end.length())) + end;
    }

    static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,d", Math.round(nanos / 1e3));
    }
}
