package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import java.util.Optional;

/**
 * The progress of a scan of a table.
 *
 * <pre>
 * +--------+----------+
 * | more 1 | key      |
 * +--------+----------+
 * </pre>
 */
record ScanProgress(boolean more, ByteString last) {
    private static final ByteString MORE = ByteString.copyFrom(new byte[] {1});
    private static final ByteString DONE = ByteString.copyFrom(new byte[] {0});

    static ScanProgress of(Work work, String scan) {
        Optional<byte[]> kept = work.progress(scan);
        return kept.map(value -> new ScanProgress(value[0] != 0, ByteString.copyFrom(value, 1, value.length - 1)))
                .orElse(new ScanProgress(true, ByteString.EMPTY));
    }

    byte[] encode() {
        return (more ? MORE : DONE).concat(last).toByteArray();
    }
}
