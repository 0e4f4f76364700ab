package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The directory on one file system in which the works run, with the files that exist before the works begin. */
public final class WorkDirectory {
    /** Number of files in the directory that the works list. Some works ask for the attributes of the listed files. */
    public static final int LISTED = 10_000;

    /** Number of small files that the works read. */
    public static final int SMALL_FILES = 600;

    public static final int SMALL_BYTES = 4096;

    private static final int MAKERS = 24;

    private final FileSystem fileSystem;
    private final Path root;
    private final byte[] content = new byte[SMALL_BYTES];
    private final Path[] listed = new Path[2 * LISTED];
    private final Path[] small = new Path[SMALL_FILES];
    private int given;

    public WorkDirectory(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
        this.root = fileSystem.makeQualified(new Path("/compare"));
        new Random(LISTED).nextBytes(content);
        Arrays.setAll(listed, i -> new Path(listed(), "part-" + i));
        Arrays.setAll(small, i -> new Path(under("small"), "part-" + i));
    }

    FileSystem fileSystem() {
        return fileSystem;
    }

    /** The content of each small file. The content is the same on every file system. */
    byte[] content() {
        return content.clone();
    }

    Path under(String name) {
        return new Path(root, name);
    }

    /** Returns a new path at each call. */
    Path own(String name) {
        return under(name + "-" + given++);
    }

    Path listed() {
        return under("listed");
    }

    /**
     * Path of a file in the listed directory. Files with numbers below {@link #LISTED} exist. Files with numbers from
     * {@link #LISTED} up to twice {@link #LISTED} do not exist.
     */
    Path listed(int number) {
        return listed[number];
    }

    Path small(int number) {
        return small[number];
    }

    /** Makes the files that must exist before the works begin. */
    public void make(Together together) throws IOException, InterruptedException {
        together.seconds(makers(), maker -> {
            for (int i = maker; i < LISTED; i += MAKERS) {
                write(listed(i), new byte[0]);
            }
            for (int i = maker; i < SMALL_FILES; i += MAKERS) {
                write(small(i), content);
            }
        });
    }

    /**
     * Makes the given number of further empty files, with {@link #LISTED} files in each directory. Nobody deletes the
     * further files.
     */
    public void fill(Together together, int files) throws IOException, InterruptedException {
        together.seconds(makers(), maker -> {
            for (int i = maker; i < files; i += MAKERS) {
                write(new Path(under("filled-" + i / LISTED), "part-" + i), new byte[0]);
            }
        });
    }

    private static List<Integer> makers() {
        return IntStream.range(0, MAKERS).boxed().toList();
    }

    void write(Path path, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path, false)) {
            out.write(bytes);
        }
    }

    void delete(Path path) throws IOException {
        if (!fileSystem.delete(path, true)) {
            throw new IOException(path + " is not there to be deleted");
        }
    }
}
