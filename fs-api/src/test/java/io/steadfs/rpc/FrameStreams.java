package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Bytes of a connection, as a server or a client gets them: one or several frames in pieces that are cut anywhere. What
 * the decoder gathers stays within 16 times what came and 64 KiB, and nothing is left of it at the end.
 */
public final class FrameStreams implements FuzzTarget {
    private static final FrameLimits LIMITS = FrameLimits.from(Settings.defaults());
    private static final int LEAST_GATHERED = 64 << 10;
    private static final int GROWTH = 16;
    private static final Kind[] KINDS = Kind.values();

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final FrameType type;
    private final Messages messages = new Messages(Words.NONE);

    /** @param type of the frames that the reader waits for: REQUEST or REPLY */
    public FrameStreams(FrameType type) {
        this.type = type;
    }

    @Override
    public String name() {
        return type == FrameType.REQUEST ? "request-frames" : "reply-frames";
    }

    /** A message of one empty message after the other is the dearest: two bytes of it cost an object. */
    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (128 << 10) + 320L * inputBytes;
    }

    @Override
    public long inputsOfABuild() {
        return 5_000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        byte[][] frames = new byte[1 + random.nextInt(3)][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = frame(random);
        }
        byte[] stream = Bits.join(frames);
        return random.nextInt(3) == 0 ? Bits.spoiledOnce(random, stream, stream) : stream;
    }

    private byte[] frame(RandomGenerator random) {
        if (random.nextInt(32) == 0) {
            return Bits.noise(random);
        }
        Kind kind = KINDS[random.nextInt(KINDS.length)];
        boolean asked = random.nextInt(16) == 0 ? random.nextBoolean() : type == FrameType.REQUEST;
        byte[] header = header(random, kind, asked);
        byte[] body = messages.bytes(random, asked ? emptyRequest(kind) : kind.emptyReply());
        byte[] payload = random.nextInt(4) == 0 ? Bits.noise(random) : new byte[0];
        ByteBuffer prefix = ByteBuffer.allocate(FrameEncoder.PREFIX_LENGTH)
                .putInt(FrameEncoder.MAGIC)
                .put((byte) (random.nextInt(64) == 0 ? random.nextInt() : FrameEncoder.VERSION))
                .put((byte) (random.nextInt(32) == 0 ? random.nextInt(5) : asked ? 1 : 2))
                .putShort((short) (random.nextInt(64) == 0 ? 1 : 0))
                .putInt(length(random, header))
                .putInt(length(random, body))
                .putInt(length(random, payload));
        return Bits.join(prefix.array(), header, body, payload);
    }

    private static int length(RandomGenerator random, byte[] part) {
        return random.nextInt(64) == 0 ? (int) Bits.edge(random) : part.length;
    }

    private byte[] header(RandomGenerator random, Kind kind, boolean asked) {
        byte[] header =
                messages.bytes(random, asked ? RequestHeader.getDefaultInstance() : ReplyHeader.getDefaultInstance());
        if (random.nextInt(16) == 0) {
            return header;
        }
        // The last value of a field counts.
        MessageLite good = asked
                ? RequestHeader.newBuilder().setKind(kind.number()).setCall(1).build()
                : ReplyHeader.newBuilder().setCall(1 + kind.number()).build();
        return Bits.join(header, good.toByteArray(), asked ? new byte[0] : new byte[] {2 << 3, 0});
    }

    private static MessageLite emptyRequest(Kind kind) {
        return io.steadfs.fuzz.Kinds.emptyRequest(kind);
    }

    @Override
    public Trial begin() {
        return this::read;
    }

    private void read(byte[] input) {
        FrameDecoder.Sink sink =
                type == FrameType.REQUEST ? new RequestReader(new Server()) : new ReplyReader(new Client());
        SplittableRandom cuts = new SplittableRandom(Arrays.hashCode(input));
        try (FrameDecoder decoder = new FrameDecoder(LIMITS, allocator)) {
            int at = 0;
            while (at < input.length) {
                int count = cuts.nextInt(4) == 0 ? input.length - at : 1 + cuts.nextInt(input.length - at);
                ByteBuf in = Unpooled.wrappedBuffer(input, at, count);
                try {
                    decoder.feed(in, sink);
                } finally {
                    in.release();
                }
                at += count;
                long held = held();
                if (held > LEAST_GATHERED + (long) GROWTH * at) {
                    throw new AssertionError(held + " bytes are held of " + at);
                }
            }
        }
        if (held() != 0) {
            throw new AssertionError(held() + " bytes are held after the end");
        }
    }

    private long held() {
        return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
    }

    private static final class Server implements RequestReader.Receiver {
        private boolean ended;

        @Override
        public void request(Request request) {
            check(!ended);
            request.payload().release();
        }

        @Override
        public void cancel(long call) {
            check(call != 0);
        }

        @Override
        public void refuse(long call, FsError error, String message) {
            check(call != 0 && error != FsError.OK);
        }

        @Override
        public void end(long call, FsError error, String message) {
            check(error != FsError.OK);
            ended = true;
        }

        @Override
        public boolean wantsMore() {
            return !ended;
        }
    }

    /** Waits for a reply to each kind, under 1 more than its number. */
    private static final class Client implements ReplyReader.Receiver {
        @Override
        public Optional<Kind> kindOf(long call) {
            return Kind.byNumber((int) Math.min(call - 1, Integer.MAX_VALUE));
        }

        @Override
        public void reply(long call, Reply reply) {
            reply.payload().release();
        }

        @Override
        public void end(FsError error, String message) {}
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("the reader's contract is broken");
        }
    }
}
