package io.steadfs.lab.bench.compare.cold;

import java.io.IOException;
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

        private Path directory(ColdTask task) {
            return ground(task, "create-" + task.threads() + "-" + task.turn());
        }
    },

    /** Asks for the attributes of a file. Each operation has another file, all in one directory. */
    STAT("attributes of a file") {
        @Override
        public void prepare(FileSystem fileSystem, ColdTask task) throws IOException {
            makeFiles(fileSystem, directory(task), task);
        }

        @Override
        void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException {
            Path file = file(directory(task), number);
            if (!fileSystem.getFileStatus(file).isFile()) {
                throw new IOException(file + " is not a file");
            }
        }

        private Path directory(ColdTask task) {
            return ground(task, "stat-" + task.threads());
        }
    },

    /**
     * Renames a file within its directory. Each operation has another file, all in one directory. Every second client
     * gives the files their old names back.
     */
    RENAME("rename a file within its directory") {
        @Override
        public void prepare(FileSystem fileSystem, ColdTask task) throws IOException {
            makeFiles(fileSystem, directory(task), task);
        }

        @Override
        void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException {
            Path old = file(directory(task), number);
            Path renamed = old.suffix("-renamed");
            boolean there = task.turn() % 2 == 0;
            if (!fileSystem.rename(there ? old : renamed, there ? renamed : old)) {
                throw new IOException("rename of " + (there ? old : renamed) + " was refused");
            }
        }

        private Path directory(ColdTask task) {
            return ground(task, "rename-" + task.threads());
        }
    };

    /** What one operation does, in words for reports. */
    public final String title;

    ColdWork(String title) {
        this.title = title;
    }

    /** Makes what the task needs on the file system. Files that are there already stay. */
    public abstract void prepare(FileSystem fileSystem, ColdTask task) throws IOException;

    /** Does one operation of the task. Each number is used once. */
    abstract void operation(FileSystem fileSystem, ColdTask task, int number) throws IOException;

    private static Path ground(ColdTask task, String name) {
        return new Path(task.ground(), name);
    }

    private static Path file(Path directory, int number) {
        return new Path(directory, "part-" + number);
    }

    private static void makeFiles(FileSystem fileSystem, Path directory, ColdTask task) throws IOException {
        if (!fileSystem.exists(directory)) {
            for (int i = 0; i < task.operations(); i++) {
                fileSystem.create(file(directory, i), false).close();
            }
        }
    }
}
