package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.steadfs.wire.FrameEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Recognizes an answer that does not come from a SteadFS server, by the first bytes of the answer. Says in words what
 * kind of answer it is.
 */
final class ForeignAnswer {
    private static final int MOST_CHARACTERS = 80;
    private static final int MOST_BYTES = 16;
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_MAJOR_VERSION = 3;

    private ForeignAnswer() {}

    /** The kind of process that answered, in words. Empty if the bytes may be the beginning of a SteadFS frame. */
    static Optional<String> of(ByteBuf first) {
        int start = first.readerIndex();
        int length = first.readableBytes();
        if (length == 0 || mayBeginFrame(first, start, length)) {
            return Optional.empty();
        }
        return Optional.of("what listens there is no SteadFS server: it answered " + words(first, start, length));
    }

    private static boolean mayBeginFrame(ByteBuf first, int start, int length) {
        for (int i = 0; i < Math.min(length, Integer.BYTES); i++) {
            if (first.getByte(start + i) != (byte) (FrameEncoder.MAGIC >>> (24 - 8 * i))) {
                return false;
            }
        }
        return true;
    }

    private static String words(ByteBuf first, int start, int length) {
        if (length >= 3 && first.getByte(start) == TLS_ALERT && first.getByte(start + 1) == TLS_MAJOR_VERSION) {
            return "with a TLS alert";
        }
        int line = 0;
        while (line < Math.min(length, MOST_CHARACTERS) && isPrintable(first.getByte(start + line))) {
            line++;
        }
        boolean isText = line == length || line == MOST_CHARACTERS || isEndOfLine(first.getByte(start + line));
        return line > 0 && isText
                ? "'" + first.toString(start, line, StandardCharsets.US_ASCII) + "'"
                : "the bytes 0x" + ByteBufUtil.hexDump(first, start, Math.min(length, MOST_BYTES));
    }

    private static boolean isPrintable(byte character) {
        return character >= ' ' && character <= '~';
    }

    private static boolean isEndOfLine(byte character) {
        return character == '\r' || character == '\n';
    }
}
