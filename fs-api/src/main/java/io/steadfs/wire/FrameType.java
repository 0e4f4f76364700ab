package io.steadfs.wire;

import java.util.Optional;

/** Types of frames. The code of a type is part of the frame's prefix. The shape of the prefix never changes. */
public enum FrameType {
    /** A request. The header is a {@code RequestHeader}. The body has the request type of the kind. */
    REQUEST(1),
    /** A reply. The header is a {@code ReplyHeader}. The body has the reply type of the kind. */
    REPLY(2),
    /**
     * Cancels a call. The header is a {@code RequestHeader} that has only the number of the call. There is no body and
     * no payload.
     */
    CANCEL(3),
    /**
     * The first frame in each direction of a connection. The header is a {@code Hello}. There is no body and no
     * payload.
     */
    HELLO(4);

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The type with this code. Empty if this release does not know the code. */
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
