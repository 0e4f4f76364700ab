package io.steadfs.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.steadfs.error.FsError;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames. {@link FrameEncoder} draws a frame. The decoder compares the announced lengths of
 * a frame with the limits before it allocates memory for the frame. Each decoder belongs to one connection and to the
 * thread of that connection.
 *
 * <p>If the fed bytes contain a whole frame, the decoder does not copy the frame. The sink gets header and body in the
 * fed buffer, and the payload as a retained slice. If a part of a frame arrives in pieces, the decoder gathers the
 * pieces in one buffer. The buffer begins small and grows by a factor of {@value #GROWTH}. So a peer that announces a
 * large frame and sends few bytes takes up little memory. Because of the large factor, few bytes are copied twice. If
 * the bytes of a payload were read into {@link #room}, the decoder does not copy them.
 *
 * <p>Once a stream contains bytes that are no frame, the decoder trusts the stream no more. The decoder tells the sink
 * once, and discards all later bytes.
 */
public final class FrameDecoder implements AutoCloseable {
    static final int FIRST_CAPACITY = 64 << 10;
    static final int GROWTH = 16;
    /** If fewer bytes of a payload are missing, they are read together with what follows the payload. */
    static final int LEAST_ROOM = 16 << 10;

    /** Receives the decoded frames. All methods run on the thread that calls {@link #feed}. */
    public interface Sink {
        /**
         * Receives one whole frame.
         *
         * @param head buffer that contains the header and the body; the sink may use the buffer only during this call
         * @param headerIndex index in {@code head} where the header begins; the body follows the header
         * @param payload payload of the frame, whose ownership passes to the sink
         */
        void frame(FrameType type, ByteBuf head, int headerIndex, int headerLength, int bodyLength, ByteBuf payload);

        /**
         * Decides whether a frame is accepted. Called after the frame's prefix was read, and before any later byte of
         * the frame is kept.
         *
         * @return the reason why the frame is not accepted, after which the stream ends; empty if the frame is accepted
         */
        default Optional<String> objection(FrameType type, long headerLength, long bodyLength, long payloadLength) {
            return Optional.empty();
        }

        /** Receives the reason why the stream ends. The decoder decodes nothing after this call. */
        void refused(Refusal refusal);

        /**
         * Whether the decoder shall read another frame. The decoder asks before each frame. If false, the decoder
         * leaves the rest of the fed bytes unread.
         */
        boolean wantsMore();
    }

    /**
     * The reason why a stream cannot be decoded further.
     *
     * @param call number of the call in the refused frame; 0 = the number cannot be read
     */
    public record Refusal(FsError error, String message, long call) {}

    private enum Stage {
        PREFIX,
        HEAD,
        PAYLOAD,
        HEADER_OF_REFUSED,
        ENDED
    }

    private final FrameLimits limits;
    private final ByteBufAllocator allocator;

    private Stage stage = Stage.PREFIX;
    private FrameType type = FrameType.REQUEST;
    private int headerLength;
    private int bodyLength;
    private int payloadLength;
    private @Nullable ByteBuf head;
    private @Nullable ByteBuf gathering;
    /** The latest result of {@link #room}, whose bytes are bytes of {@link #gathering}. */
    private @Nullable ByteBuf room;

    private @Nullable Refusal refusal;
    private long framesDone;

    public FrameDecoder(FrameLimits limits, ByteBufAllocator allocator) {
        this.limits = limits;
        this.allocator = allocator;
    }

    /** Whether the decoder has read the beginning of a frame, but not the whole frame. */
    public boolean isInsideFrame() {
        return stage == Stage.ENDED ? false : stage != Stage.PREFIX || gathering != null;
    }

    /** Size of the memory that the incomplete frame takes up, in bytes. */
    public long heldBytes() {
        ByteBuf begun = gathering;
        ByteBuf before = head;
        return (begun == null ? 0L : begun.capacity()) + (before == null ? 0L : before.capacity());
    }

    /** Number of received bytes of the incomplete frame that the decoder keeps. */
    public long receivedBytes() {
        ByteBuf begun = gathering;
        ByteBuf before = head;
        return (begun == null ? 0L : begun.readableBytes()) + (before == null ? 0L : before.readableBytes());
    }

    /** Number of complete frames so far. If the number has risen, the incomplete frame is not the same as before. */
    public long framesDone() {
        return framesDone;
    }

    /**
     * Returns an empty buffer for the next bytes of the payload that is being gathered; null if none is being gathered,
     * or if few bytes are missing. The caller writes the next bytes of the stream into the buffer, feeds the buffer,
     * and releases it. If the caller has no bytes, it only releases the buffer. The buffer is valid until the next call
     * of this method or of {@link #feed}.
     */
    public @Nullable ByteBuf room() {
        room = null;
        ByteBuf target = gathering;
        if (stage != Stage.PAYLOAD || target == null) {
            return null;
        }
        int missing = payloadLength - target.readableBytes();
        if (missing < LEAST_ROOM) {
            return null;
        }
        target = grow(target, 1, payloadLength);
        int length = Math.min(missing, target.capacity() - target.writerIndex());
        room = target.retainedSlice(target.writerIndex(), length).clear();
        return room;
    }

    /** Reads frames until the bytes end or the sink wants no more frames. Does not release {@code in}. */
    public void feed(ByteBuf in, Sink sink) {
        boolean goOn = true;
        while (goOn) {
            goOn = switch (stage) {
                case PREFIX -> in.isReadable() && sink.wantsMore() && prefix(in, sink);
                case HEAD -> head(in, sink);
                case PAYLOAD -> payload(in, sink);
                case HEADER_OF_REFUSED -> headerOfRefused(in, sink);
                case ENDED -> {
                    in.skipBytes(in.readableBytes());
                    yield false;
                }
            };
        }
    }

    /** Releases the gathered bytes of an incomplete frame. */
    @Override
    public void close() {
        stage = Stage.ENDED;
        drop(gathering);
        drop(head);
        gathering = null;
        head = null;
    }

    private boolean prefix(ByteBuf in, Sink sink) {
        if (gathering == null && in.readableBytes() >= FrameEncoder.PREFIX_LENGTH) {
            readPrefix(in, sink);
            return true;
        }
        ByteBuf gathered = gather(in, FrameEncoder.PREFIX_LENGTH);
        if (gathered == null) {
            // If the first four bytes are not the magic number, no frame begins here. The stream is refused at once,
            // without waiting for the rest of the prefix.
            ByteBuf begun = gathering;
            if (begun != null && begun.readableBytes() >= 4 && begun.getInt(0) != FrameEncoder.MAGIC) {
                int magic = begun.getInt(0);
                end(sink, wrongMagic(magic));
            }
            return false;
        }
        try {
            readPrefix(gathered, sink);
        } finally {
            gathered.release();
        }
        return true;
    }

    private void readPrefix(ByteBuf in, Sink sink) {
        int magic = in.readInt();
        int version = in.readUnsignedByte();
        int typeCode = in.readUnsignedByte();
        int reserved = in.readUnsignedShort();
        long header = in.readUnsignedInt();
        long body = in.readUnsignedInt();
        long payload = in.readUnsignedInt();
        Optional<FrameType> known = FrameType.byCode(typeCode);
        if (magic != FrameEncoder.MAGIC) {
            end(sink, wrongMagic(magic));
            return;
        }
        if (version != FrameEncoder.VERSION) {
            Refusal wrongVersion = new Refusal(
                    FsError.UNSUPPORTED_VERSION,
                    "frame of version " + version + "; version " + FrameEncoder.VERSION + " is spoken here",
                    0);
            if (known.isPresent() && known.get() == FrameType.REPLY && header <= limits.headerBytes()) {
                refuseAfterHeader(FrameType.REPLY, (int) header, wrongVersion);
            } else {
                end(sink, wrongVersion);
            }
            return;
        }
        if (known.isEmpty() || reserved != 0) {
            end(
                    sink,
                    new Refusal(
                            FsError.BAD_MESSAGE,
                            known.isEmpty()
                                    ? "frame type " + typeCode + " is not known"
                                    : "reserved bytes of a frame are " + reserved + ", not 0",
                            0));
            return;
        }
        Optional<String> objection = sink.objection(known.get(), header, body, payload);
        if (objection.isPresent()) {
            end(sink, new Refusal(FsError.BAD_MESSAGE, objection.get(), 0));
            return;
        }
        Optional<String> problem = limits.problem(header, body, payload);
        if (problem.isPresent()) {
            Refusal tooLong = new Refusal(FsError.BAD_MESSAGE, problem.get(), 0);
            if (header <= limits.headerBytes()) {
                refuseAfterHeader(known.get(), (int) header, tooLong);
            } else {
                end(sink, tooLong);
            }
            return;
        }
        type = known.get();
        headerLength = (int) header;
        bodyLength = (int) body;
        payloadLength = (int) payload;
        stage = Stage.HEAD;
    }

    private boolean head(ByteBuf in, Sink sink) {
        int length = headerLength + bodyLength;
        if (gathering == null && in.readableBytes() >= (long) length + payloadLength) {
            int index = in.readerIndex();
            in.skipBytes(length);
            ByteBuf payload = payloadLength == 0 ? Unpooled.EMPTY_BUFFER : in.readRetainedSlice(payloadLength);
            stage = Stage.PREFIX;
            framesDone++;
            sink.frame(type, in, index, headerLength, bodyLength, payload);
            return true;
        }
        ByteBuf whole = gather(in, length);
        if (whole == null) {
            return false;
        }
        if (payloadLength == 0) {
            emit(sink, whole, Unpooled.EMPTY_BUFFER);
        } else {
            head = whole;
            stage = Stage.PAYLOAD;
        }
        return true;
    }

    private boolean payload(ByteBuf in, Sink sink) {
        ByteBuf whole = gather(in, payloadLength);
        ByteBuf before = head;
        if (whole == null || before == null) {
            return false;
        }
        head = null;
        emit(sink, before, whole);
        return true;
    }

    private void emit(Sink sink, ByteBuf whole, ByteBuf payload) {
        stage = Stage.PREFIX;
        framesDone++;
        try {
            sink.frame(type, whole, whole.readerIndex(), headerLength, bodyLength, payload);
        } finally {
            whole.release();
        }
    }

    private void refuseAfterHeader(FrameType refusedType, int length, Refusal why) {
        type = refusedType;
        headerLength = length;
        refusal = why;
        stage = Stage.HEADER_OF_REFUSED;
    }

    private boolean headerOfRefused(ByteBuf in, Sink sink) {
        ByteBuf header = gather(in, headerLength);
        Refusal why = refusal;
        if (header == null || why == null) {
            return false;
        }
        try {
            end(sink, withHeader(why, header));
        } finally {
            header.release();
        }
        return true;
    }

    /**
     * Adds to a refusal what the frame's header says: the number of the call and, for a reply, the peer's message. If
     * the header cannot be decoded, the refusal stays as it is.
     */
    private Refusal withHeader(Refusal why, ByteBuf header) {
        try {
            if (type == FrameType.REPLY) {
                ReplyHeader reply = ReplyHeader.parseFrom(header.nioBuffer());
                String said = reply.getMessage().isEmpty() ? "" : "; the peer says: " + reply.getMessage();
                return new Refusal(why.error(), why.message() + said, reply.getCall());
            }
            return new Refusal(
                    why.error(),
                    why.message(),
                    RequestHeader.parseFrom(header.nioBuffer()).getCall());
        } catch (InvalidProtocolBufferException e) {
            return why;
        }
    }

    private static Refusal wrongMagic(int magic) {
        return new Refusal(FsError.BAD_MESSAGE, String.format("0x%08x does not begin a SteadFS frame", magic), 0);
    }

    private void end(Sink sink, Refusal why) {
        close();
        sink.refused(why);
    }

    /**
     * Returns the next {@code length} bytes, or null while some of the bytes are missing. The caller must release the
     * returned buffer.
     */
    private @Nullable ByteBuf gather(ByteBuf in, int length) {
        ByteBuf target = gathering;
        if (target == null) {
            if (in.readableBytes() >= length) {
                return in.readRetainedSlice(length);
            }
            if (!in.isReadable()) {
                return null;
            }
            target = allocator.ioBuffer(Math.min(length, FIRST_CAPACITY));
            gathering = target;
        }
        int missing = length - target.readableBytes();
        int count = Math.min(missing, in.readableBytes());
        boolean isInPlace = isRoom(in);
        room = null;
        if (isInPlace) {
            in.skipBytes(count);
            target.writerIndex(target.writerIndex() + count);
        } else {
            target = grow(target, count, length);
            target.writeBytes(in, count);
        }
        if (count < missing) {
            return null;
        }
        gathering = null;
        return target;
    }

    /** Whether the buffer is {@link #room}, and not only equal to it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isRoom(ByteBuf in) {
        return in == room;
    }

    /**
     * Enlarges {@link #gathering} if so many more bytes do not fit. Returns the buffer, or the one that takes its place.
     *
     * @param target the buffer {@link #gathering}
     * @param most largest capacity; not below the bytes that are there and the more bytes together
     */
    private ByteBuf grow(ByteBuf target, int more, int most) {
        int needed = target.writerIndex() + more;
        if (needed > target.capacity()) {
            int grown = (int) Math.min(most, Math.max(needed, (long) target.capacity() * GROWTH));
            Optional<ByteBuf> large = grown == most ? LargeBuffers.OF_PROCESS.take(most) : Optional.empty();
            if (large.isPresent()) {
                replaceBy(large.get(), target);
                return large.get();
            }
            target.capacity(grown);
        }
        return target;
    }

    private void replaceBy(ByteBuf large, ByteBuf target) {
        try {
            large.writeBytes(target);
        } catch (RuntimeException | Error e) {
            large.release();
            throw e;
        }
        gathering = large;
        target.release();
    }

    private static void drop(@Nullable ByteBuf buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }
}
