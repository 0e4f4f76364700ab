package io.steadfs.it.bad;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.client.read.FileReader;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Frames as byte arrays, to be spoiled and sent over plain sockets. */
final class Frames {
    private static final int TIMEOUT_MILLIS = 30_000;

    private Frames() {}

    static byte[] request(Kind kind, long call, MessageLite body) {
        return bytes(FrameEncoder.request(
                UnpooledByteBufAllocator.DEFAULT, kind, call, 0, RequestHeader.getDefaultInstance(), body, 0));
    }

    /** A connection after its HELLO. */
    static Socket connect(ServerAddress address, Introduction introduction) throws IOException {
        Socket socket = new Socket(address.host(), address.port());
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            HelloOpener opener = new HelloOpener(introduction, PeerName.ANYBODY);
            socket.getOutputStream().write(hello(opener.first()));
            Hello answer = readHello(new DataInputStream(socket.getInputStream()));
            Optional<Hello> proof = opener.answered(answer).proof();
            if (proof.isPresent()) {
                socket.getOutputStream().write(hello(proof.get()));
            }
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** All of the file. */
    static byte[] bytes(FileReader reader) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) reader.length());
        while (all.hasRemaining()) {
            if (reader.read(all.position(), all) < 0) {
                throw new EOFException(reader.length() + " bytes were told, " + all.position() + " are there");
            }
        }
        return all.array();
    }

    static byte[] hello(Hello hello) {
        return bytes(FrameEncoder.hello(UnpooledByteBufAllocator.DEFAULT, hello));
    }

    static Hello readHello(DataInputStream in) throws IOException {
        byte[] prefix = new byte[FrameEncoder.PREFIX_LENGTH];
        in.readFully(prefix);
        byte[] header = new byte[ByteBuffer.wrap(prefix).getInt(8)];
        in.readFully(header);
        return Hello.parseFrom(header);
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        frame.release();
        return bytes;
    }

    /** With any bytes for a body. */
    static byte[] request(Kind kind, long call, byte[] body) {
        byte[] head = request(kind, call, RequestHeader.getDefaultInstance());
        byte[] frame = Arrays.copyOf(length(head, 12, body.length), head.length + body.length);
        System.arraycopy(body, 0, frame, head.length, body.length);
        return frame;
    }

    static byte[] with(byte[] frame, int index, int value) {
        byte[] changed = frame.clone();
        changed[index] = (byte) value;
        return changed;
    }

    /** One of the three lengths in the prefix, at 8 (header), 12 (body) or 16 (payload). */
    static byte[] length(byte[] frame, int index, int length) {
        byte[] changed = frame.clone();
        ByteBuffer.wrap(changed).putInt(index, length);
        return changed;
    }

    /** Reads one whole frame and returns its header; EOFException at the end of the stream. */
    static ReplyHeader readReply(DataInputStream in) throws IOException {
        byte[] prefix = new byte[FrameEncoder.PREFIX_LENGTH];
        in.readFully(prefix);
        ByteBuffer fields = ByteBuffer.wrap(prefix);
        if (fields.getInt(0) != FrameEncoder.MAGIC) {
            throw new IOException("not a frame");
        }
        byte[] header = new byte[fields.getInt(8)];
        in.readFully(header);
        in.readFully(new byte[fields.getInt(12) + fields.getInt(16)]);
        return ReplyHeader.parseFrom(header);
    }
}
