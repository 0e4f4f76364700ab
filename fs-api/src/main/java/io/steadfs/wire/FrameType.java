package io.steadfs.wire;

import java.util.Optional;

/** The type of a frame. The codes are part of the prefix, which never changes. */
public enum FrameType {
    /** Header {@code RequestHeader}, body of the kind's request type. */
    REQUEST(1),
    /** Header {@code ReplyHeader}, body of the kind's reply type. */
    REPLY(2),
    /** Header {@code RequestHeader} with only the number of the call to drop; no body, no payload. */
    CANCEL(3),
    /** Header {@code Hello}; no body, no payload. The first frame in each direction of a connection. */
    HELLO(4);

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Empty for a code that this release does not know. */
    public static Optional<FrameType> byCode(int code) {
        return switch (code) {
            case 1 -> Optional.of(REQUEST);
            case 2 -> Optional.of(REPLY);
            case 3 -> Optional.of(CANCEL);
            case 4 -> Optional.of(HELLO);
            default -> Optional.empty();
        };
    }
}
