package io.steadfs.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;

/** What a set of create flags comes to: an exclusive create, or one that replaces. */
final class CreateFlags {
    /** A question to the servers. */
    interface Exists {
        boolean ask() throws IOException;
    }

    private CreateFlags() {}

    /**
     * Whether a file that is there is replaced. Only flags without CREATE ask whether there is one.
     *
     * @throws FileNotFoundException without CREATE, where there is no file
     * @throws UnsupportedOperationException to append to a file that is there
     */
    static boolean overwrites(EnumSet<CreateFlag> flags, Exists exists, Path path) throws IOException {
        CreateFlag.validate(flags);
        boolean create = flags.contains(CreateFlag.CREATE);
        boolean append = flags.contains(CreateFlag.APPEND);
        if (create && !append) {
            return flags.contains(CreateFlag.OVERWRITE);
        }
        boolean there = exists.ask();
        if (!there && !create) {
            throw new FileNotFoundException(path + ": not there, and create flags " + flags + " do not make it");
        }
        if (there && append) {
            throw new UnsupportedOperationException("SteadFS does not append: " + path);
        }
        return there;
    }
}
