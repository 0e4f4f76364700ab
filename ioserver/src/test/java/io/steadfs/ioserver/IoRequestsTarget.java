package io.steadfs.ioserver;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Kinds;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WriteRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Requests to an IO server with small and large datafiles, sealed and open ones. Each is answered, never with FAULT, and
 * what was there and not named by a request reads back.
 *
 * <pre>
 *  0      1                2
 * +------+----------------+------+---------+
 * | kind | payload length | body | payload |
 * +------+----------------+------+---------+
 * </pre>
 *
 * The lengths and checksums of a write are put right where the kind's byte has its highest bit, so that some are done.
 */
final class IoRequestsTarget implements FuzzTarget {
    private static final int FIXED = 2;
    private static final int RIGHT = 0x80;
    private static final int LARGE_BYTES = 200_000;
    private static final int SMALL_BYTES = 1000;
    private static final int KEPT_INDEX = 77;
    private static final Handle OTHER_METAFILE = Handle.of(Handle.FIRST_SHARD_OWNER + 9, 9, 999_999);
    private static final Kind[] KINDS = Arrays.stream(Kind.values())
            .filter(kind -> kind.target() == Kind.Target.IO || kind.target() == Kind.Target.ANY)
            .toArray(Kind[]::new);

    private final Messages messages = new Messages(new Words(
            List.of(
                    IoRig.METAFILE.value(),
                    IoRig.METAFILE.value(),
                    Handle.of(IoRig.SERVER, 0, 1).value(),
                    Handle.of(IoRig.SERVER, 0, 2).value(),
                    Handle.of(IoRig.SERVER, 0, 3).value(),
                    Handle.of(IoRig.SERVER, 0, 4).value(),
                    0L,
                    1L,
                    1L,
                    (long) SMALL_BYTES,
                    (long) LARGE_BYTES,
                    65536L,
                    131072L),
            List.of("a")));

    @Override
    public String name() {
        return "io-requests";
    }

    @Override
    public int inputsOfATrial() {
        return 2000;
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        // The answer of a READ of 8 MiB, and rows of many datafiles.
        return (32 << 20) + 1000L * inputBytes;
    }

    @Override
    public long inputsOfABuild() {
        return 5_000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        int kind = random.nextInt(KINDS.length);
        byte[] body = messages.bytes(random, Kinds.emptyRequest(KINDS[kind]));
        byte[] payload = new byte[KINDS[kind] == Kind.WRITE || random.nextInt(8) == 0 ? random.nextInt(256) : 0];
        byte[] fixed = {(byte) (kind | (random.nextBoolean() ? RIGHT : 0)), (byte) payload.length};
        return Bits.join(fixed, body, payload);
    }

    @Override
    public Trial begin() throws IOException {
        return new Server();
    }

    private static final class Server implements Trial {
        private final IoRig rig = new IoRig();
        private final Handle kept;
        private final byte[] content = IoRig.bytes(5, SMALL_BYTES);

        private Server() throws IOException {
            rig.make(IoRig.bytes(1, SMALL_BYTES), true);
            append(1, IoRig.bytes(2, LARGE_BYTES));
            append(2, IoRig.bytes(3, LARGE_BYTES));
            append(3, new byte[0]);
            rig.seal(Handle.of(IoRig.SERVER, 0, 3), 2);
            kept = append(KEPT_INDEX, content);
        }

        private Handle append(int index, byte[] bytes) {
            Reply reply = rig.ask(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, bytes, true).setIndex(index).build(),
                    bytes);
            return new Handle(IoRig.written(reply).getDatafile());
        }

        @Override
        public void feed(byte[] input) {
            byte[] whole = Arrays.copyOf(input, Math.max(FIXED, input.length));
            Kind kind = KINDS[(whole[0] & 0x7f) % KINDS.length];
            int payloadLength = Math.min(whole[1] & 0xff, whole.length - FIXED);
            byte[] payload = Arrays.copyOfRange(whole, whole.length - payloadLength, whole.length);
            MessageLite body;
            try {
                body = kind.requestParser().parseFrom(Arrays.copyOfRange(whole, FIXED, whole.length - payloadLength));
            } catch (InvalidProtocolBufferException refused) {
                return;
            }
            if (body instanceof WriteRequest write && (whole[0] & RIGHT) != 0) {
                body = IoRig.write(new Handle(write.getDatafile()), write.getOffset(), payload, write.getSync())
                        .setIndex(write.getIndex())
                        .setWriteGeneration(write.getWriteGeneration())
                        .build();
            }
            if (names(body)) {
                return;
            }
            Reply reply = rig.ask(kind, body, payload);
            reply.payload().release();
            if (reply.error() == FsError.FAULT) {
                throw new AssertionError(
                        kind + " is answered FAULT: " + reply.header().getMessage());
            }
        }

        /** Whether the request is about the datafile that is to stay, by its handle or by its column. */
        @SuppressWarnings("LiteProtoToString") // Whole in tests.
        private boolean names(MessageLite body) {
            return (body instanceof WriteRequest write && write.getIndex() == KEPT_INDEX)
                    || body.toString().contains(Long.toUnsignedString(kept.value()));
        }

        @Override
        public void check() {
            if (!Arrays.equals(rig.content(kept), content)) {
                throw new AssertionError("a datafile that nobody touched has other bytes");
            }
            IoRig.ok(rig.ask(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, content, true)
                            .setMetafile(OTHER_METAFILE.value())
                            .build(),
                    content));
            if (rig.core().failure().isPresent()) {
                throw new AssertionError("it stopped: " + rig.core().failure().get());
            }
        }

        @Override
        public void close() {
            rig.close();
        }
    }
}
