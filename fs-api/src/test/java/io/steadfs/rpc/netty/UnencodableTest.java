package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message whose encoding fails, in the way of a full heap or a deep stack: whoever waits is told, nothing leaks. */
class UnencodableTest {
    /** A real message, of which one method fails. */
    private static MessageLite failing(String method, Error failure) {
        MessageLite real = StatReply.getDefaultInstance();
        return (MessageLite) Proxy.newProxyInstance(
                MessageLite.class.getClassLoader(), new Class<?>[] {MessageLite.class}, (self, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        throw failure;
                    }
                    try {
                        return called.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void answer(RequestHandler.Call call) {
        String path = ((StatRequest) call.request().body()).getLocation().getPath();
        Payload payload = new Payload.Bytes(Loopback.buffer(new byte[100]));
        switch (path) {
            case "heap" -> call.reply(Reply.ok(failing("writeTo", new OutOfMemoryError("test")), payload));
            case "stack" -> call.reply(Reply.ok(failing("writeTo", new StackOverflowError("test")), payload));
            case "size" -> call.reply(Reply.ok(failing("getSerializedSize", new OutOfMemoryError("test")), payload));
            default -> {
                payload.release();
                Loopback.echo(call);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "stack", "size"})
    void aReplyThatCannotBeEncodedIsAnErrorOfItsCall(String path) throws IOException {
        // That no buffer is left is looked at when it is closed.
        try (Loopback net = new Loopback(UnencodableTest::answer)) {
            Reply told = net.ask(path);
            assertThat(told.error()).isEqualTo(path.equals("stack") ? FsError.FAULT : FsError.NO_MEMORY);
            assertThat(told.header().getMessage()).contains("cannot be sent", "test");
            assertThat(Loopback.pathOf(net.ask("further"))).isEqualTo("further");
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void theEncoderReleasesItsBufferWhateverFails() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
        OutOfMemoryError failure = new OutOfMemoryError("test");
        assertThatThrownBy(() -> FrameEncoder.reply(
                        allocator, 1, ReplyHeader.getDefaultInstance(), failing("writeTo", failure), 0))
                .isSameAs(failure);
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }
}
