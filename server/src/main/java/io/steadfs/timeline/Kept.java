package io.steadfs.timeline;

import io.steadfs.recent.RecentMessage;
import java.util.List;

/**
 * The recent messages of one server, of one operation or of all operations.
 *
 * @param server the server's name, such as {@code mds-1}
 * @param messages the messages, the newest first
 * @param laterNanos the time of this process's clock minus the time of the server's clock, approximately. A server
 *     tells its time in the reply to a question. The time in the reply is taken as the time in the middle of the
 *     question
 */
record Kept(String server, List<RecentMessage> messages, long laterNanos) {
    Kept {
        messages = List.copyOf(messages);
    }
}
