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

/** Where the work is done on one file system, and the files that are there before. */
public final class WorkDirectory {
    /** Files in the directory that is listed, and whose attributes are asked for. */
    public static final int LISTED = 10_000;

    /** Files that are read. */
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

    /** Same on every file system. */
    byte[] content() {
        return content.clone();
    }

    Path under(String name) {
        return new Path(root, name);
    }

    /** What nobody else was given. */
    Path own(String name) {
        return under(name + "-" + given++);
    }

    Path listed() {
        return under("listed");
    }

    /** There below {@link #LISTED}; not there up to twice that. */
    Path listed(int number) {
        return listed[number];
    }

    Path small(int number) {
        return small[number];
    }

    /** Makes the files that works find. */
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

    /** Makes so many empty files more, in directories of {@link #LISTED}; they stay. */
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
