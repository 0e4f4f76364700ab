package io.steadfs.rpc;

import io.steadfs.recent.RecentMessage;
import io.steadfs.recent.RecentMessages;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RecentMessagesReply;
import io.steadfs.wire.proto.RecentMessagesRequest;

/**
 * Answers RECENT_MESSAGES with a page of the messages that this process keeps. The door passes all other requests to
 * the server behind the door. The door answers at once, even if the server is not ready.
 */
public final class RecentDoor implements RequestHandler {
    private final RequestHandler door;
    private final RecentMessages recent;
    private final Clock clock;

    /** @param clock clock by which the process noted the times of the messages */
    public RecentDoor(RequestHandler door, RecentMessages recent, Clock clock) {
        this.door = door;
        this.recent = recent;
        this.clock = clock;
    }

    @Override
    public void handle(Call call) {
        Request request = call.request();
        if (request.kind() == Kind.RECENT_MESSAGES && request.body() instanceof RecentMessagesRequest body) {
            request.payload().release();
            call.reply(Reply.ok(answer(body)));
        } else {
            door.handle(call);
        }
    }

    private RecentMessagesReply answer(RecentMessagesRequest request) {
        RecentMessages.Page page = recent.page(request.getTraceId(), request.getBefore(), request.getLimit());
        RecentMessagesReply.Builder reply = RecentMessagesReply.newBuilder()
                .setNextBefore(page.nextBefore())
                .setNowNanos(clock.monotonicNanos())
                .setCapacity(recent.length());
        page.messages().stream().map(RecentMessage::encode).forEach(reply::addMessages);
        return reply.build();
    }
}
