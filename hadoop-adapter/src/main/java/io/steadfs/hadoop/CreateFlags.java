package io.steadfs.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;

/** What a set of create flags means for SteadFS. */
enum CreateFlags {
    /** A new file; one that is there is an error. */
    EXCLUSIVE,
    /** A new file in place of one that is there. */
    REPLACE,
    /** A file that is there, from its end on. */
    APPEND;

    /** A question to the servers. */
    interface Exists {
        boolean ask() throws IOException;
    }

    /**
     * Only flags without CREATE, or with APPEND, ask whether the file is there.
     *
     * @throws FileNotFoundException without CREATE, where there is no file
     */
    static CreateFlags of(EnumSet<CreateFlag> flags, Exists exists, Path path) throws IOException {
        CreateFlag.validate(flags);
        boolean create = flags.contains(CreateFlag.CREATE);
        boolean append = flags.contains(CreateFlag.APPEND);
        if (create && !append) {
            return flags.contains(CreateFlag.OVERWRITE) ? REPLACE : EXCLUSIVE;
        }
        boolean there = exists.ask();
        if (!there && !create) {
            PathNames.checkColons(path);
            throw new FileNotFoundException(path + ": not there, and create flags " + flags + " do not make it");
        }
        return !there ? EXCLUSIVE : append ? APPEND : REPLACE;
    }
}
