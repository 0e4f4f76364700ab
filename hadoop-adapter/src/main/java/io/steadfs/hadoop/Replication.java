package io.steadfs.hadoop;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;

/**
 * Checks and sets the number of copies that a caller wants of a file. The number is stored as an attribute. SteadFS
 * keeps one copy of each file, whatever the number is.
 */
final class Replication {
    private static final int MOST = 512;

    private Replication() {}

    /** @throws IOException if the number is not from 1 to {@value #MOST} */
    static void check(AbsolutePath path, short replication) throws IOException {
        if (replication < 1 || replication > MOST) {
            throw new IOException(
                    path + ": replication " + replication + ", but the number of copies must be from 1 to " + MOST);
        }
    }

    /** Sets the number of copies. Returns false if the path does not exist or is a directory, as HDFS does. */
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
