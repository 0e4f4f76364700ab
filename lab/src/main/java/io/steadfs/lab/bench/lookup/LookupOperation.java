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
    STAT("attributes of a file"),
    OPEN("open a file"),
    CREATE("create a file"),
    RENAME_FILE("rename a file in its directory"),
    LIST("list a directory"),
    RENAME_DIRECTORY("rename a directory in its parent"),
    CHMOD_DIRECTORY("chmod of a directory");

    private static final Closeable NOTHING = () -> {};

    final String title;

    LookupOperation(String title) {
        this.title = title;
    }

    /** Makes what the operation needs at its path. */
    void prepare(SteadFs fs, FsPath path) throws IOException {
        switch (this) {
            case CREATE -> {}
            case STAT, OPEN, RENAME_FILE ->
                fs.create(path, CreateOptions.DEFAULT).close();
            case LIST, RENAME_DIRECTORY, CHMOD_DIRECTORY -> fs.mkdirs(path, 0755, false, true);
        }
    }

    /** Does what is counted. What is left to be done is not counted, and done by closing the result. */
    Closeable run(SteadFs fs, FsPath path) throws IOException {
        switch (this) {
            case OPEN -> {
                return fs.open(path);
            }
            case CREATE -> {
                return fs.create(path, CreateOptions.DEFAULT);
            }
            case STAT -> fs.stat(path);
            case RENAME_FILE, RENAME_DIRECTORY ->
                fs.rename(path, path.parent().child(path.name() + "-moved"), RenameMode.NO_REPLACE);
            case LIST -> fs.listSorted(path);
            case CHMOD_DIRECTORY -> fs.setAttributes(path, AttributeChange.mode(0711));
        }
        return NOTHING;
    }
}
