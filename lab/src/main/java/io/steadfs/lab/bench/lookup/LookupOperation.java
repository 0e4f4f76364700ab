package io.steadfs.lab.bench.lookup;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.Closeable;
import java.io.IOException;

/** An operation whose messages are counted. Each use has a name of its own in the directory. */
enum LookupOperation {
    STAT("attributes of a file") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeFile(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            fs.stat(directory.child(name));
            return NOTHING;
        }
    },
    OPEN("open a file") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeFile(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            return fs.open(directory.child(name));
        }
    },
    CREATE("create a file") {
        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            return fs.create(directory.child(name), CreateOptions.DEFAULT);
        }
    },
    RENAME_FILE("rename a file in its directory") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeFile(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            fs.rename(directory.child(name), directory.child(name + "-moved"), RenameMode.NO_REPLACE);
            return NOTHING;
        }
    },
    LIST("list a directory") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeDirectory(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            fs.listSorted(directory.child(name));
            return NOTHING;
        }
    },
    RENAME_DIRECTORY("rename a directory in its parent") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeDirectory(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            fs.rename(directory.child(name), directory.child(name + "-moved"), RenameMode.NO_REPLACE);
            return NOTHING;
        }
    },
    CHMOD_DIRECTORY("chmod of a directory") {
        @Override
        void prepare(SteadFs fs, FsPath directory, String name) throws IOException {
            makeDirectory(fs, directory.child(name));
        }

        @Override
        Closeable run(SteadFs fs, FsPath directory, String name) throws IOException {
            fs.setAttributes(directory.child(name), AttributeChange.mode(0711));
            return NOTHING;
        }
    };

    private static final Closeable NOTHING = () -> {};

    final String title;

    LookupOperation(String title) {
        this.title = title;
    }

    /** Makes what the operation needs. */
    void prepare(SteadFs fs, FsPath directory, String name) throws IOException {}

    /** Does what is counted. What is left to be done is not counted, and done by closing the result. */
    abstract Closeable run(SteadFs fs, FsPath directory, String name) throws IOException;

    private static void makeFile(SteadFs fs, FsPath path) throws IOException {
        fs.create(path, CreateOptions.DEFAULT).close();
    }

    private static void makeDirectory(SteadFs fs, FsPath path) throws IOException {
        fs.mkdirs(path, 0755, false, true);
    }
}
