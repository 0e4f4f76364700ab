package io.steadfs.lab.bench.compare.work;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The kinds of work with which file systems are compared. */
public enum WorkKind {
    CREATE("create", "create an empty file", "files/s", 1),
    CREATE_SEPARATE("create-separate", "create an empty file, each thread in its own directory", "files/s", 1),
    CREATE_4K("create-4k", "create, write 4 KiB, close", "files/s", 1),
    STAT("stat", "attributes of a file", "files/s", 1),
    STAT_MISS("stat-miss", "attributes of what is not there", "names/s", 1),
    RENAME("rename", "rename a file within its directory", "files/s", 1),
    DELETE("delete", "delete an empty file", "files/s", 1),
    LIST("list", "list 10,000 files with attributes", "entries/s", WorkDirectory.LISTED),
    READ_4K("read-4k", "open, read 4 KiB, close", "files/s", 1),
    SPARK("spark", "the 92 calls of a Spark job that writes 12 files", "jobs/s", 1),
    STREAM_WRITE("stream-write", "write sequentially, close", "MiB/s", 1),
    STREAM_READ("stream-read", "read sequentially", "MiB/s", 1);

    private final String id;

    /** What one operation does, in words for reports. */
    public final String title;

    public final String unit;

    /** Number of units in one operation, such as entries in a listing. */
    public final int unitsOfOperation;

    WorkKind(String id, String title, String unit, int unitsOfOperation) {
        this.id = id;
        this.title = title;
        this.unit = unit;
        this.unitsOfOperation = unitsOfOperation;
    }

    /** @throws IllegalArgumentException if no kind has this name; the message names the text and all known kinds */
    public static WorkKind parse(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.id.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no work '" + text + "'; there are: "
                        + Arrays.stream(values()).map(WorkKind::toString).collect(Collectors.joining(", "))));
    }

    /**
     * Whether each round moves a fixed number of bytes, whatever time the round takes. An operation of a stream is one
     * MiB.
     */
    public boolean isStream() {
        return this == STREAM_WRITE || this == STREAM_READ;
    }

    /**
     * Whether a report compares this work, done by one thread, with its bare messages and fsyncs. Of such a work, one
     * message or fsync follows the other.
     */
    public boolean hasFloor() {
        return this == CREATE || this == STAT || this == RENAME || this == DELETE || this == READ_4K;
    }

    /** Whether data servers take part in the work, so that each data server gets a share of the work. */
    public boolean isOfDataServers() {
        return this == CREATE_4K || this == READ_4K || this == SPARK || isStream();
    }

    /** Makes the work of one thread. */
    public Work of(WorkDirectory directory, int thread) {
        return switch (this) {
            case CREATE -> new Creates(directory, thread, true, new byte[0]);
            case CREATE_SEPARATE -> new Creates(directory, thread, false, new byte[0]);
            case CREATE_4K -> new Creates(directory, thread, true, directory.content());
            case STAT -> new Stats(directory, thread, true);
            case STAT_MISS -> new Stats(directory, thread, false);
            case RENAME -> new Renames(directory);
            case DELETE -> new Deletes(directory, thread);
            case LIST -> new Lists(directory);
            case READ_4K -> new SmallReads(directory, thread);
            case SPARK -> new SparkMix(directory, thread);
            case STREAM_WRITE -> new StreamWrites(directory, thread);
            case STREAM_READ -> new StreamReads(directory);
        };
    }

    /**
     * Makes the reference work for a stream, on local files in a folder, without a distributed file system.
     *
     * @param number number that no other work of the folder has
     * @throws IllegalStateException if this kind is not a stream
     */
    public Work plain(Path folder, int number) {
        if (!isStream()) {
            throw new IllegalStateException(this + " has no plain form");
        }
        return new PlainChannels(folder, number, this == STREAM_READ);
    }

    @Override
    public String toString() {
        return id;
    }
}
