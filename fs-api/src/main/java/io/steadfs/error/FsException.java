package io.steadfs.error;

import java.io.IOException;

/** An {@link FsError} on its way to a Java caller. The message names the thing and the value. */
public final class FsException extends IOException {
    private static final long serialVersionUID = 1L;

    private final FsError error;

    public FsException(FsError error, String message) {
        super(error + ": " + message);
        this.error = error;
    }

    public FsException(FsError error, String message, Throwable cause) {
        super(error + ": " + message, cause);
        this.error = error;
    }

    public FsError error() {
        return error;
    }
}
