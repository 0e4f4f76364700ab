package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardedCallTest {
    private final AskedCall call = new AskedCall();
    private final List<Reply> seen = new ArrayList<>();
    private final ForwardedCall forwarded = new ForwardedCall(call, seen::add);

    private static final class AskedCall implements RequestHandler.Call {
        private final Request request = new Request(
                Kind.STAT, RequestHeader.getDefaultInstance(), StatRequest.getDefaultInstance(), Payload.EMPTY);
        private final List<Reply> replies = new ArrayList<>();
        private boolean cancelled;

        @Override
        public Request request() {
            return request;
        }

        @Override
        public String peer() {
            return "a test";
        }

        @Override
        public PeerIdentity peerIdentity() {
            return PeerIdentity.client("alice");
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public boolean isOnItsThread() {
            return true;
        }

        @Override
        public void reply(Reply reply) {
            replies.add(reply);
        }
    }

    @Test
    void whatIsAskedOfItTheCallAnswers() {
        assertThat(forwarded.request()).isSameAs(call.request);
        assertThat(forwarded.peer()).isEqualTo("a test");
        assertThat(forwarded.isCancelled()).isFalse();
        assertThat(forwarded.isAlone()).isTrue();
        assertThat(forwarded.isOnItsThread()).isTrue();
        call.cancelled = true;
        assertThat(forwarded.isCancelled()).as("later").isTrue();
    }

    @Test
    void theReplyGoesToWhoForwardsAndNoFurtherByItself() {
        Reply reply = Reply.ok(StatReply.getDefaultInstance());
        forwarded.reply(reply);
        assertThat(seen).containsExactly(reply);
        assertThat(call.replies).isEmpty();
    }
}
