package io.steadfs.it.power;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * The kernel's side of the mount: standard input and output of this process are the opened device. One read gives one
 * request, one write takes one answer; numbers are in the order of the machine.
 *
 * <pre>
 *  answer   u32 length of all | i32 0 or minus the error number | u64 unique of the request | body
 * </pre>
 */
final class FuseDevice {
    /** Bytes of one READ or WRITE at most. */
    static final int MOST_BYTES = 1 << 20;

    private static final int ROOM = 8192;
    private static final int HEADER = 16;

    private final FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
    private final FileChannel out = new FileOutputStream(FileDescriptor.out).getChannel();
    private final ByteBuffer request = buffer();
    private final ByteBuffer answer = buffer();

    private static ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(MOST_BYTES + ROOM).order(ByteOrder.nativeOrder());
    }

    /** The next request, in a buffer that the one after it reuses. Waits for it. */
    ByteBuffer next() throws IOException {
        while (true) {
            request.clear();
            try {
                if (in.read(request) > 0) {
                    return request.flip();
                }
                throw new IOException("the mount is gone");
            } catch (IOException e) {
                // A request that was taken back while it was handed out.
                if (!isNoEntry(e)) {
                    throw e;
                }
            }
        }
    }

    /** Where the body of an answer is written. */
    ByteBuffer body() {
        return answer.clear().position(HEADER);
    }

    /** Sends what was written into {@link #body}. */
    void answer(long unique) throws IOException {
        send(unique, 0);
    }

    void refuse(long unique, int errorNumber) throws IOException {
        body();
        send(unique, -errorNumber);
    }

    private void send(long unique, int code) throws IOException {
        answer.flip();
        answer.putInt(0, answer.limit()).putInt(4, code).putLong(8, unique);
        try {
            out.write(answer);
        } catch (IOException e) {
            // Who asked does not wait any more.
            if (!isNoEntry(e)) {
                throw e;
            }
        }
    }

    private static boolean isNoEntry(IOException e) {
        return String.valueOf(e.getMessage()).contains("No such file or directory");
    }
}
