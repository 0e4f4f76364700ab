package io.steadfs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.LeakPresenceDetector;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ReplyReader;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestReader;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.PartitionMap;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames written and read again, whole and in pieces. */
class FrameCodecTest {
    private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;
    private static final FrameLimits LIMITS = FrameLimits.from(Settings.defaults());

    @AfterEach
    void everyBufferWasReleased() {
        LeakPresenceDetector.check();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyRequestArrivesAsSent(Kind kind) throws Exception {
        assertThat(Kind.byNumber(kind.number())).contains(kind);
        MessageLite body = filled(kind.requestParser());
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(1)
                .setSession(-3)
                .setRequestId(17)
                .setLowestUnanswered(12)
                .setEpoch(5)
                .setTraceId(-1)
                .setStep("step")
                .setCaller(Caller.newBuilder().setUser("u").addGroups("g"))
                .build();
        ByteBuf frame = FrameEncoder.request(ALLOCATOR, kind, 1L << 40, 30_000, header, body, 3);
        frame.writeBytes(new byte[] {1, 2, 3});

        Requests received = new Requests();
        feed(frame, 1000, new RequestReader(received));

        Request request = received.requests.get(0);
        assertThat(request.kind()).isEqualTo(kind);
        assertThat(request.body()).isEqualTo(body);
        assertThat(request.header())
                .isEqualTo(header.toBuilder()
                        .setKind(kind.number())
                        .setCall(1L << 40)
                        .setDeadlineMillis(30_000)
                        .build());
        assertThat(request.payload().length()).isEqualTo(3);
        request.payload().release();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void requestAndReplyOfAKindBelongTogether(Kind kind) {
        String request = kind.emptyRequest().getClass().getSimpleName();
        String reply = kind.emptyReply().getClass().getSimpleName();
        assertThat(request).endsWith("Request");
        assertThat(reply).isEqualTo(request.replaceAll("Request$", "Reply"));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyReplyArrivesAsSent(Kind kind) throws Exception {
        MessageLite body = filled(kind.replyParser());
        assertThat(body).isInstanceOf(kind.emptyReply().getClass());
        ReplyHeader header = ReplyHeader.newBuilder()
                .setEpoch(7)
                .setPartitionMap(PartitionMap.newBuilder().setDirectory(3))
                .build();
        ByteBuf frame = FrameEncoder.reply(ALLOCATOR, 77, header, body, 0);
        frame.writeBytes(Unpooled.EMPTY_BUFFER);

        Replies received = new Replies(kind);
        feed(frame, 1000, new ReplyReader(received));

        Reply reply = received.replies.get(0);
        assertThat(reply.isOk()).isTrue();
        assertThat(reply.body()).isEqualTo(body);
        assertThat(reply.header()).isEqualTo(header.toBuilder().setCall(77).build());
        assertThat(reply.payload()).isEqualTo(Payload.EMPTY);
    }

    @ParameterizedTest
    @EnumSource(FsError.class)
    void everyErrorArrivesAsSent(FsError error) {
        assertThat(FsError.byCode(error.code())).contains(error);
        Reply sent = error == FsError.OK
                ? Reply.ok(Kind.STAT.emptyReply())
                : Reply.refused(Kind.STAT, error, "/a/b is a directory");
        Replies received = new Replies(Kind.STAT);
        feed(FrameEncoder.reply(ALLOCATOR, 1, sent.header(), sent.body(), 0), 1000, new ReplyReader(received));
        assertThat(received.replies.get(0).error()).isEqualTo(error);
        assertThat(received.replies.get(0).header().getMessage())
                .isEqualTo(sent.header().getMessage());
    }

    @Test
    void anErrorOfALaterReleaseIsAFaultThatNamesTheCode() {
        ReplyHeader header =
                ReplyHeader.newBuilder().setError(4000).setMessage("words").build();
        Replies received = new Replies(Kind.STAT);
        feed(FrameEncoder.reply(ALLOCATOR, 1, header, header, 0), 1000, new ReplyReader(received));
        assertThat(received.replies.get(0).error()).isEqualTo(FsError.FAULT);
        assertThat(received.replies.get(0).header().getMessage()).contains("4000", "words");
    }

    @Test
    void aCancelArrives() {
        Requests received = new Requests();
        feed(FrameEncoder.cancel(ALLOCATOR, 1L << 50), 1000, new RequestReader(received));
        assertThat(received.cancelled).containsExactly(1L << 50);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void framesInPiecesOfAnySizeAreTheSame(long seed) throws Exception {
        Random random = new Random(seed);
        ByteBuf stream = ALLOCATOR.buffer();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int length = switch (random.nextInt(4)) {
                case 0 -> 0;
                // The sizes of LargeBuffers, and sizes below and above.
                case 1 -> 1 << (16 + random.nextInt(6));
                default -> random.nextInt(200_000);
            };
            byte[] payload = new byte[length];
            random.nextBytes(payload);
            payloads.add(payload);
            ByteBuf head = FrameEncoder.request(
                    ALLOCATOR,
                    Kind.CREATE,
                    i + 1,
                    0,
                    RequestHeader.getDefaultInstance(),
                    filled(Kind.CREATE.requestParser()),
                    payload.length);
            stream.writeBytes(head).writeBytes(payload);
            head.release();
        }
        Requests received = new Requests();
        feed(stream.retainedDuplicate(), 1 + random.nextInt(100_000), new RequestReader(received));
        Requests readIntoRoom = new Requests();
        int read = feedIntoRoom(stream, random, new RequestReader(readIntoRoom));
        assertThat(read).as("bytes read into the room, seed %d", seed).isPositive();
        same(seed, received, payloads);
        same(seed, readIntoRoom, payloads);
    }

    private static void same(long seed, Requests received, List<byte[]> payloads) {
        assertThat(received.requests).as("seed %d", seed).hasSize(payloads.size());
        for (int i = 0; i < payloads.size(); i++) {
            Payload payload = received.requests.get(i).payload();
            assertThat(payload.length()).isEqualTo(payloads.get(i).length);
            if (payload instanceof Payload.Bytes bytes) {
                byte[] copy = new byte[bytes.buffer().readableBytes()];
                bytes.buffer().readBytes(copy);
                assertThat(copy).as("seed %d, payload %d", seed, i).isEqualTo(payloads.get(i));
            }
            payload.release();
        }
    }

    @Test
    void aPayloadOfACommonSizeIsInMemoryThatIsUsedAgain() throws Exception {
        byte[] payload = new byte[LargeBuffers.MOST_BYTES];
        ByteBuf frame = FrameEncoder.request(
                ALLOCATOR,
                Kind.WRITE,
                1,
                0,
                RequestHeader.getDefaultInstance(),
                Kind.WRITE.emptyReply(),
                payload.length);
        Requests received = new Requests();
        feed(frame.writeBytes(payload), 100_000, new RequestReader(received));
        received.requests.get(0).payload().release();
        assertThat(LargeBuffers.OF_PROCESS.keptBytes()).isGreaterThanOrEqualTo(payload.length);
    }

    @Test
    void anAnnouncedPayloadIsNotAllocatedBeforeItComes() {
        ByteBuf head = FrameEncoder.request(
                ALLOCATOR,
                Kind.WRITE,
                1,
                0,
                RequestHeader.getDefaultInstance(),
                Kind.WRITE.emptyReply(),
                LIMITS.payloadBytes());
        LargestAllocation largest = new LargestAllocation();
        FrameDecoder decoder = new FrameDecoder(LIMITS, largest);
        decoder.feed(head, new RequestReader(new Requests()));
        assertThat(decoder.isInsideFrame()).isTrue();
        ByteBuf one = ALLOCATOR.buffer(1).writeByte(1);
        decoder.feed(one, new RequestReader(new Requests()));
        assertThat(largest.bytes).isEqualTo(FrameDecoder.FIRST_CAPACITY);
        head.release();
        one.release();
        decoder.close();
    }

    /** Remembers the largest buffer asked of it. */
    private static final class LargestAllocation extends AbstractByteBufAllocator {
        private int bytes;

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            bytes = Math.max(bytes, initialCapacity);
            return ALLOCATOR.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            bytes = Math.max(bytes, initialCapacity);
            return ALLOCATOR.directBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return ALLOCATOR.isDirectBufferPooled();
        }
    }

    /** Feeds the bytes in pieces and releases them. */
    private static void feed(ByteBuf stream, int piece, FrameDecoder.Sink sink) {
        try (FrameDecoder decoder = new FrameDecoder(LIMITS, ALLOCATOR)) {
            while (stream.isReadable()) {
                ByteBuf part = ALLOCATOR.buffer();
                part.writeBytes(stream, Math.min(piece, stream.readableBytes()));
                decoder.feed(part, sink);
                assertThat(part.isReadable()).isFalse();
                part.release();
            }
            assertThat(decoder.isInsideFrame()).isFalse();
        } finally {
            stream.release();
        }
    }

    /**
     * Feeds the bytes as the reads of a socket do: into the decoder's room, if there is one. Some reads have no bytes.
     *
     * @return number of bytes that were read into the room
     */
    private static int feedIntoRoom(ByteBuf stream, Random random, FrameDecoder.Sink sink) {
        int intoRoom = 0;
        try (FrameDecoder decoder = new FrameDecoder(LIMITS, ALLOCATOR)) {
            while (stream.isReadable()) {
                ByteBuf room = decoder.room();
                ByteBuf part = room == null ? ALLOCATOR.buffer(64 << 10, 64 << 10) : room;
                int most = Math.min(part.writableBytes(), stream.readableBytes());
                int bytes = random.nextInt(4) == 0 ? 0 : random.nextInt(1 + most);
                if (bytes > 0) {
                    part.writeBytes(stream, bytes);
                    decoder.feed(part, sink);
                    assertThat(part.isReadable()).isFalse();
                    intoRoom += room == null ? 0 : bytes;
                }
                part.release();
            }
            assertThat(decoder.isInsideFrame()).isFalse();
        } finally {
            stream.release();
        }
        return intoRoom;
    }

    /** A message of this type with every plain field set. */
    private static MessageLite filled(Parser<? extends MessageLite> parser) throws Exception {
        Message.Builder builder = ((Message) parser.parseFrom(new byte[0])).toBuilder();
        fill(builder, 3);
        return builder.build();
    }

    private static void fill(Message.Builder builder, int depth) {
        for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                continue;
            }
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                if (depth > 0) {
                    Message.Builder inner = builder.newBuilderForField(field);
                    fill(inner, depth - 1);
                    set(builder, field, inner.build());
                }
                continue;
            }
            set(
                    builder,
                    field,
                    switch (field.getJavaType()) {
                        case INT -> field.getNumber() * 1000;
                        case LONG -> -1L - field.getNumber();
                        case BOOLEAN -> true;
                        case STRING -> "text \u00e4\u4e2d " + field.getName();
                        case BYTE_STRING -> ByteString.copyFromUtf8(field.getName());
                        case ENUM -> field.getEnumType().getValues().get(1);
                        case FLOAT -> 1.5f;
                        case DOUBLE -> 2.5;
                        case MESSAGE -> throw new AssertionError(field);
                    });
        }
    }

    private static void set(Message.Builder builder, FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            builder.addRepeatedField(field, value);
            builder.addRepeatedField(field, value);
        } else {
            builder.setField(field, value);
        }
    }

    /** Keeps what it receives. */
    private static final class Requests implements RequestReader.Receiver {
        private final List<Request> requests = new ArrayList<>();
        private final List<Long> cancelled = new ArrayList<>();

        @Override
        public void request(Request request) {
            requests.add(request);
        }

        @Override
        public void cancel(long call) {
            cancelled.add(call);
        }

        @Override
        public void refuse(long call, FsError error, String message) {
            throw new AssertionError(error + ": " + message);
        }

        @Override
        public void end(long call, FsError error, String message) {
            throw new AssertionError(error + ": " + message);
        }

        @Override
        public boolean wantsMore() {
            return true;
        }
    }

    /** Keeps what it receives; every call asked the same kind. */
    private static final class Replies implements ReplyReader.Receiver {
        private final Kind kind;
        private final List<Reply> replies = new ArrayList<>();

        private Replies(Kind kind) {
            this.kind = kind;
        }

        @Override
        public Optional<Kind> kindOf(long call) {
            return Optional.of(kind);
        }

        @Override
        public void reply(long call, Reply reply) {
            replies.add(reply);
        }

        @Override
        public void end(FsError error, String message) {
            throw new AssertionError(error + ": " + message);
        }
    }

    @Test
    void limitsComeFromTheConfiguration() {
        FrameLimits limits = FrameLimits.from(Settings.of(Map.of("stead.rpc.max.header", "2k")));
        assertThat(limits).isEqualTo(new FrameLimits(2048, 8 << 20, 16 << 20));
        assertThat(limits.problem(2048, 8 << 20, 16 << 20)).isEmpty();
        assertThat(limits.problem(2049, 0, 0))
                .hasValueSatisfying(
                        words -> assertThat(words).contains("header", "2049", "2048", "stead.rpc.max.header"));
    }
}
