package io.steadfs.lab.bench.compare.cold;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The works of which a new client does its first operations. Each operation checks its answer. */
public enum ColdWork {
    /** Creates an empty file and closes it. All threads use one new directory. */
    CREATE("create an empty file") {
        @Override
        public void prepare(FileSystem fileSystem, ColdTask task) throws IOException {
            if (!fileSystem.mkdirs(directory(task))) {
                throw new IOException("cannot make " + directory(task));
            }
        }

        @Override
        void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException {
            fileSystem.create(file(directory(task), number), false).close();
        }

        @Override
        Path directory(ColdTask task) {
            return super.directory(task).suffix("-" + task.turn());
        }
    },

    /** Asks for the attributes of a file. Each operation has another file, all in one directory. */
    STAT("attributes of a file") {
        @Override
        void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException {
            Path file = file(directory(task), number);
            if (!fileSystem.getFileStatus(file).isFile()) {
                throw new IOException(file + " is not a file");
            }
        }
    },

    /**
     * Renames a file within its directory. Each operation has another file, all in one directory. Every second client
     * gives the files their old names back.
     */
    RENAME("rename a file within its directory") {
        @Override
        void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException {
            Path old = file(directory(task), number);
            Path renamed = old.suffix("-renamed");
            boolean there = task.turn() % 2 == 0;
            if (!fileSystem.rename(there ? old : renamed, there ? renamed : old)) {
                throw new IOException("rename of " + (there ? old : renamed) + " was refused");
            }
        }
    };

    /** What one operation does, in words for reports. */
    public final String title;

    ColdWork(String title) {
        this.title = title;
    }

    /** Makes what the task needs on the file system. Files that are there already stay. */
    public void prepare(FileSystem fileSystem, ColdTask task) throws IOException {
        Path directory = directory(task);
        if (!fileSystem.exists(directory)) {
            for (int i = 0; i < task.operations(); i++) {
                fileSystem.create(file(directory, i), false).close();
            }
        }
    }

    /** Does one operation of the task. Each number is used once. */
    abstract void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException;

    /** The folder of the files of the task. */
    Path directory(ColdTask task) {
        return new Path(task.ground(), name().toLowerCase(Locale.ROOT) + "-" + task.threads());
    }

    private static Path file(Path directory, int number) {
        return new Path(directory, "part-" + number);
    }
}
