package io.steadfs.hadoop;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/** Translates errors of SteadFS to the exceptions that Hadoop's applications expect. */
final class HadoopErrors {
    /** The purpose of a request. For the same error, HDFS throws different exceptions for different purposes. */
    enum Purpose {
        /** The request works on a path that should exist. */
        LOOK_UP,
        /** The request makes a new name in a directory. */
        MAKE_ENTRY,
        /** The request gives an object another name. */
        MOVE,
        /** The request adds bytes to a file that should exist. */
        APPEND
    }

    private interface Maker {
        Exception make(String path, FsException cause);
    }

    private static final Map<FsError, Maker> LOOK_UP = new EnumMap<>(FsError.class);
    private static final Map<FsError, Maker> MAKE_ENTRY = new EnumMap<>(FsError.class);

    static {
        both(FsError.NOT_FOUND, (path, cause) -> new FileNotFoundException(text(path, cause)));
        both(FsError.ALREADY_EXISTS, (path, cause) -> new FileAlreadyExistsException(text(path, cause)));
        // No file has a name that is too long.
        LOOK_UP.put(FsError.NAME_TOO_LONG, (path, cause) -> new FileNotFoundException(text(path, cause)));
        // A path below a file does not exist. If the request makes something there, the exception says that the parent
        // is a file.
        LOOK_UP.put(FsError.NOT_A_DIRECTORY, (path, cause) -> new FileNotFoundException(text(path, cause)));
        MAKE_ENTRY.put(FsError.NOT_A_DIRECTORY, (path, cause) -> new ParentNotDirectoryException(text(path, cause)));
        LOOK_UP.put(FsError.IS_A_DIRECTORY, (path, cause) -> new FileNotFoundException(text(path, cause)));
        MAKE_ENTRY.put(FsError.IS_A_DIRECTORY, (path, cause) -> new FileAlreadyExistsException(text(path, cause)));
        both(FsError.NOT_EMPTY, (path, cause) -> new NotEmpty(path));
        both(FsError.PERMISSION_DENIED, (path, cause) -> new AccessControlException(text(path, cause)));
        both(FsError.NOT_SUPPORTED, (path, cause) -> new UnsupportedOperationException(text(path, cause)));
        both(FsError.TIMED_OUT, (path, cause) -> new SocketTimeoutException(text(path, cause)));
        both(FsError.CONNECTION_LOST, (path, cause) -> new SocketException(text(path, cause)));
        both(FsError.UNREACHABLE, (path, cause) -> new ConnectException(text(path, cause)));
        both(FsError.UNKNOWN_HOST, (path, cause) -> new UnknownHostException(text(path, cause)));
        both(FsError.NOT_STEADFS, (path, cause) -> new IOException(text(path, cause)));
        both(FsError.CANCELLED, (path, cause) -> new InterruptedIOException(text(path, cause)));
        both(FsError.NO_SPACE, (path, cause) -> new DiskOutOfSpaceException(text(path, cause)));
        both(FsError.CORRUPT, (path, cause) -> new ChecksumException(text(path, cause), -1));
        // Hadoop has no exception of its own for the other errors. The message and the cause name the error.
        for (FsError error : FsError.values()) {
            LOOK_UP.putIfAbsent(error, HadoopErrors::plain);
            MAKE_ENTRY.putIfAbsent(error, HadoopErrors::plain);
        }
    }

    /**
     * A {@code PathIOException} whose message leaves out the message of the cause. In Hadoop's class, the message
     * contains the message of the cause. Here, both messages would say the same.
     */
    private static final class Plain extends PathIOException {
        private static final long serialVersionUID = 1;

        private final String message;

        Plain(String path, String words) {
            super(path, words);
            message = "`" + path + "': " + words;
        }

        @Override
        public String getMessage() {
            return message;
        }
    }

    /** A {@code PathIsNotEmptyDirectoryException} whose message leaves out the message of the cause. */
    private static final class NotEmpty extends PathIsNotEmptyDirectoryException {
        private static final long serialVersionUID = 1;

        private final String message;

        NotEmpty(String path) {
            super(path);
            message = "`" + path + "': Directory is not empty";
        }

        @Override
        public String getMessage() {
            return message;
        }
    }

    private HadoopErrors() {}

    private static void both(FsError error, Maker maker) {
        LOOK_UP.put(error, maker);
        MAKE_ENTRY.put(error, maker);
    }

    private static Exception plain(String path, FsException cause) {
        return new Plain(path, words(path, cause));
    }

    private static String text(String path, FsException cause) {
        return path + ": " + words(path, cause);
    }

    /**
     * The error and its message. If the message begins with the path, the path is left out, because the caller writes
     * the path first.
     */
    private static String words(String path, FsException cause) {
        String words = cause.words();
        int authority = path.indexOf("://");
        int slash = authority < 0 ? 0 : path.indexOf('/', authority + 3);
        String name = slash < 0 ? path : path.substring(slash);
        if (!words.startsWith(name)) {
            return cause.error() + ": " + words;
        }
        String rest = words.substring(name.length());
        if (rest.isEmpty()) {
            return cause.error().toString();
        }
        boolean isOfPath = rest.startsWith(": ") || rest.startsWith(" ");
        return cause.error() + ": " + (isOfPath ? rest.substring(rest.indexOf(' ') + 1) : words);
    }

    /**
     * The exception to throw after a request about the path failed. The exception has the given error as its cause, and
     * the stack trace of this thread.
     *
     * @throws RuntimeException if Hadoop has an unchecked exception for the error; this method then throws that
     *     exception
     */
    static IOException translate(FsException error, String path, Purpose purpose) {
        Map<FsError, Maker> table = tableOf(purpose, error.error());
        Exception exception =
                table.getOrDefault(error.error(), HadoopErrors::plain).make(path, error);
        exception.initCause(error);
        if (exception instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return (IOException) exception;
    }

    private static Map<FsError, Maker> tableOf(Purpose purpose, FsError error) {
        return switch (purpose) {
            case LOOK_UP -> LOOK_UP;
            case MAKE_ENTRY, MOVE -> MAKE_ENTRY;
            case APPEND -> error == FsError.IS_A_DIRECTORY ? MAKE_ENTRY : LOOK_UP;
        };
    }

    /** Translates an exception of a stream. An exception that is no {@link FsException} stays as it is. */
    static IOException translate(IOException error, String path) {
        return error instanceof FsException ours ? translate(ours, path, Purpose.LOOK_UP) : error;
    }
}
