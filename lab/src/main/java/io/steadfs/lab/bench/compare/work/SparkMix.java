package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The file system calls of one Spark job that writes 12 files into three partitions. The job uses version 1 of Hadoop's
 * file output committer. Each of four tasks writes three files into the folder of its attempt. The folder of an attempt
 * is renamed to the folder of a task. The job then moves the content of the tasks' folders into place.
 *
 * <p>The calls are: 41 getFileStatus, 16 rename, 13 listStatus, 12 create, 8 exists, 2 delete. Each file has {@value
 * WorkDirectory#SMALL_BYTES} bytes.
 */
final class SparkMix implements Work {
    private static final int TASKS = 4;
    private static final int PARTITIONS = 3;

    private final WorkDirectory directory;
    private final FileSystem fileSystem;
    private final byte[] content;
    private final String prefix;
    private int job;

    SparkMix(WorkDirectory directory, int thread) {
        this.directory = directory;
        this.fileSystem = directory.fileSystem();
        this.content = directory.content();
        this.prefix = "spark-" + thread + "-";
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            long begun = System.nanoTime();
            one(directory.under(prefix + job));
            latencies.record(System.nanoTime() - begun);
            job++;
        }
    }

    /** Runs one job. After the job, none of its files is left. */
    void one(Path output) throws IOException {
        Path pending = new Path(output, "_temporary/0");
        check(!fileSystem.exists(output), output, "is there");
        check(!isThere(output), output, "is there");
        for (int task = 0; task < TASKS; task++) {
            write(task, new Path(pending, "_temporary/attempt-" + task));
        }
        for (int task = 0; task < TASKS; task++) {
            commit(new Path(pending, "_temporary/attempt-" + task), task(pending, task));
        }
        for (int task = 0; task < TASKS; task++) {
            merge(task(pending, task), task, output);
        }
        check(fileSystem.exists(pending), pending, "is gone");
        directory.delete(new Path(output, "_temporary"));
        check(!fileSystem.exists(pending), pending, "is still there");
        check(!fileSystem.exists(new Path(output, "_SUCCESS")), output, "is done already");
        directory.delete(output);
    }

    private static Path task(Path pending, int task) {
        return new Path(pending, "task-" + task);
    }

    private static Path partition(Path folder, int partition) {
        return new Path(folder, "day=" + partition);
    }

    private static String part(int task) {
        return "part-" + task;
    }

    /**
     * Does what a task does for each file: checks that the file does not exist, writes the file, and asks for its
     * length.
     */
    private void write(int task, Path attempt) throws IOException {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Path file = new Path(partition(attempt, partition), part(task));
            check(!isThere(file), file, "is there");
            directory.write(file, content);
            FileStatus written = fileSystem.getFileStatus(file);
            check(written.getLen() == content.length, file, "has " + written.getLen() + " bytes");
        }
    }

    /** Renames the folder of a task's attempt to the folder of the task. */
    private void commit(Path attempt, Path committed) throws IOException {
        check(fileSystem.exists(attempt), attempt, "is gone");
        check(!isThere(committed), committed, "is there");
        rename(attempt, committed);
    }

    /**
     * Moves the files of a task into place. The first task's partitions do not exist yet, so whole folders are moved.
     * The files of later tasks are moved one by one.
     */
    private void merge(Path committed, int task, Path output) throws IOException {
        check(fileSystem.listStatus(committed).length == PARTITIONS, committed, "misses partitions");
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Path source = partition(committed, partition);
            Path target = partition(output, partition);
            if (task == 0) {
                check(!isThere(target), target, "is there");
                rename(source, target);
            } else {
                check(fileSystem.listStatus(source).length == 1, source, "does not have one file");
                check(!isThere(new Path(target, part(task))), target, "has it already");
                rename(new Path(source, part(task)), new Path(target, part(task)));
            }
        }
    }

    private boolean isThere(Path path) throws IOException {
        try {
            fileSystem.getFileStatus(path);
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    private void rename(Path source, Path target) throws IOException {
        check(fileSystem.rename(source, target), source, "could not be renamed to " + target);
    }

    private static void check(boolean holds, Path path, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(path + " " + otherwise);
        }
    }
}
