package io.steadfs.disk;

import java.io.IOException;

/** The disk is full, or a quota is used up. */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
