package io.steadfs.disk;

import java.io.IOException;

/** Says that a disk is full or a disk quota is used up. */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoSpaceException(String message) {
        super(message);
    }

    public NoSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
