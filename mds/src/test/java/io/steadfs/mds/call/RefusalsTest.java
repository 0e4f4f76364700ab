package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final Refusals refusals = new Refusals();
    private final List<Reply> replies = new ArrayList<>();

    private void answer(Reply reply) {
        Request request = new Request(
                Kind.STAT, RequestHeader.getDefaultInstance(), StatRequest.getDefaultInstance(), Payload.EMPTY);
        refusals.counted(call -> call.reply(reply)).handle(new TestCall(request, replies::add));
    }

    @Test
    void everyErrorIsCountedButTheOneThatLeadsOn() {
        assertThat(refusals.snapshot()).isEmpty();
        answer(Reply.ok(StatReply.getDefaultInstance()));
        answer(Reply.refused(Kind.STAT, FsError.CONTINUE, "at shard 2"));
        answer(Reply.refused(Kind.STAT, FsError.BUSY, "full"));
        answer(Reply.refused(Kind.STAT, FsError.TOO_LARGE, "a path"));
        answer(Reply.refused(Kind.STAT, FsError.BUSY, "full"));
        assertThat(refusals.snapshot())
                .containsExactlyInAnyOrderEntriesOf(Map.of("refused.BUSY", 2L, "refused.TOO_LARGE", 1L));
        assertThat(replies).hasSize(5);
    }
}
