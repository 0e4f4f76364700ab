package io.steadfs.error;

import java.io.IOException;

/** Carries an {@link FsError} to a Java caller. The message names the object and the value. */
public sealed class FsException extends IOException permits FsException.Answered, LinkException {
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
     * Makes an exception without a stack trace from a server's answer, for the future of a caller. A stack trace would
     * show only the thread that reads answers, and not the caller. A thread that waits for the future throws an
     * exception with its own stack trace, unless it wants none ({@code Traces}).
     */
    public static FsException answered(FsError error, String message) {
        return new Answered(error, message);
    }

    static final class Answered extends FsException {
        private static final long serialVersionUID = 1L;

        Answered(FsError error, String message) {
            super(error, message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }

        /** The text begins with the class name that callers know, {@code FsException}. */
        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            return FsException.class.getName() + ": " + getMessage();
        }
    }

    public FsError error() {
        return error;
    }

    /** The message without the error name at its beginning. */
    public String words() {
        String message = String.valueOf(getMessage());
        String prefix = error + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    /**
     * Like the method {@link #words}, but without the subject at the beginning. Meant for messages that name the
     * subject already.
     */
    public String wordsAbout(String subject) {
        String words = words();
        String prefix = subject + ": ";
        return words.startsWith(prefix) ? words.substring(prefix.length()) : words;
    }
}
