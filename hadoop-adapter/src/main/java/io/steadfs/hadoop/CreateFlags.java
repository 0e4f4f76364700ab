package io.steadfs.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;

/** Says what a set of Hadoop's create flags means for SteadFS. */
enum CreateFlags {
    /** Make a new file. An existing file is an error. */
    EXCLUSIVE,
    /** Make a new file. The new file replaces an existing file. */
    REPLACE,
    /** Open an existing file at its end. */
    APPEND;

    /** Asks the servers whether the file exists. */
    interface Exists {
        boolean ask() throws IOException;
    }

    /**
     * Converts a set of Hadoop's flags. The servers are asked whether the file exists only for two kinds of flags:
     * flags without CREATE, and flags with APPEND.
     *
     * @throws FileNotFoundException if the file does not exist and the flags lack CREATE
     */
    static CreateFlags of(EnumSet<CreateFlag> flags, Exists exists, AbsolutePath path) throws IOException {
        CreateFlag.validate(flags);
        boolean create = flags.contains(CreateFlag.CREATE);
        boolean append = flags.contains(CreateFlag.APPEND);
        if (create && !append) {
            return flags.contains(CreateFlag.OVERWRITE) ? REPLACE : EXCLUSIVE;
        }
        boolean there = exists.ask();
        if (!there && !create) {
            PathNames.checkColons(path);
            throw new FileNotFoundException(path + ": no such file, and create flags " + flags + " do not make it");
        }
        return !there ? EXCLUSIVE : append ? APPEND : REPLACE;
    }
}
