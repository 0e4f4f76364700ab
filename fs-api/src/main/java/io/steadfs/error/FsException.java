package io.steadfs.error;

import java.io.IOException;

/** An {@link FsError} on its way to a Java caller. The message names the object and the value. */
public sealed class FsException extends IOException {
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

    /**
     * What a server answered, for the future of whoever asked. It has no stack trace, for that would show how the client's
     * thread reads answers; who waits throws one with his own.
     */
    public static FsException answered(FsError error, String message) {
        return new Answered(error, message);
    }

    private static final class Answered extends FsException {
        private static final long serialVersionUID = 1L;

        Answered(FsError error, String message) {
            super(error, message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }

        /** By the name that callers know. */
        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            return FsException.class.getName() + ": " + getMessage();
        }
    }

    public FsError error() {
        return error;
    }

    /** The message without the error that it begins with. */
    public String words() {
        String message = String.valueOf(getMessage());
        String prefix = error + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    /** As {@link #words}, without the subject where they begin with it; for whoever names the subject already. */
    public String wordsAbout(String subject) {
        String words = words();
        String prefix = subject + ": ";
        return words.startsWith(prefix) ? words.substring(prefix.length()) : words;
    }
}
