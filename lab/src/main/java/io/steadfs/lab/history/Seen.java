package io.steadfs.lab.history;

/**
 * What an answer tells about a name at one moment.
 *
 * @param fileId id of the file for {@link Kind#THIS_FILE}; else 0
 */
public record Seen(Kind kind, long fileId) {
    /** Kinds of knowledge. Less specific kinds come first. */
    public enum Kind {
        ANYTHING,
        ABSENT,
        SOMETHING,
        DIRECTORY,
        FILE,
        THIS_FILE
    }

    public static final Seen ANYTHING = new Seen(Kind.ANYTHING, 0);
    public static final Seen ABSENT = new Seen(Kind.ABSENT, 0);
    /** A file or a directory. */
    public static final Seen SOMETHING = new Seen(Kind.SOMETHING, 0);

    public static final Seen DIRECTORY = new Seen(Kind.DIRECTORY, 0);
    /** A file whose id is unknown. */
    public static final Seen FILE = new Seen(Kind.FILE, 0);

    /** @param fileId id of the file; 0 = unknown */
    public static Seen file(long fileId) {
        return fileId == 0 ? FILE : new Seen(Kind.THIS_FILE, fileId);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ANYTHING -> "nothing was told";
            case ABSENT -> "nothing was there";
            case SOMETHING -> "something was there";
            case DIRECTORY -> "a directory was there";
            case FILE -> "a file was there";
            case THIS_FILE -> "file " + Long.toHexString(fileId) + " was there";
        };
    }
}
