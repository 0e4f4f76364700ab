package io.steadfs.timeline;

import io.steadfs.recent.RecentMessage;
import java.util.List;

/**
 * The messages that one server kept, of one operation or of all.
 *
 * @param server its name, such as {@code mds-1}
 * @param messages the newest first
 * @param laterNanos by about how much our clock is later than the server's; from the time that the server gave in the middle of a question
 */
record Kept(String server, List<RecentMessage> messages, long laterNanos) {
    Kept {
        messages = List.copyOf(messages);
    }
}
