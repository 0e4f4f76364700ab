package io.steadfs.hadoop;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Checks and sets the number of copies that a file is to have. The number is kept as an attribute. There is one copy of each file. */
final class Replication {
    private static final int MOST = 512;

    private Replication() {}

    /** @throws IOException for a number that nobody can ask for */
    static void check(Path path, short replication) throws IOException {
        if (replication < 1 || replication > MOST) {
            throw new IOException(
                    path + ": replication " + replication + ", 1 to " + MOST + " copies can be asked for");
        }
    }

    /** Returns false, as HDFS does, if the path does not exist or is a directory. */
    static boolean set(SteadFs client, FsPath path, short replication) throws FsException {
        try {
            client.setAttributes(path, AttributeChange.replication(replication));
            return true;
        } catch (FsException e) {
            switch (e.error()) {
                case NOT_FOUND, NOT_A_DIRECTORY, IS_A_DIRECTORY -> {
                    return false;
                }
                default -> throw e;
            }
        }
    }
}
