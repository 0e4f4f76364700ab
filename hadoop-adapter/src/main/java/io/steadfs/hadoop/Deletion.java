package io.steadfs.hadoop;

import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;

/** Deletes a name, and answers as HDFS does. */
final class Deletion {
    private Deletion() {}

    /** Returns false where nothing existed, and for the root, which stays. */
    static boolean of(SteadFs client, FsPath path, boolean recursive) throws FsException {
        if (path.isRoot()) {
            if (!recursive && client.list(path).hasNext()) {
                throw new FsException(FsError.NOT_EMPTY, "the root directory is not empty, and stays");
            }
            return false;
        }
        try {
            client.delete(path, recursive);
            return true;
        } catch (FsException e) {
            if (e.error() == FsError.NOT_FOUND || e.error() == FsError.NOT_A_DIRECTORY) {
                return false;
            }
            throw e;
        }
    }
}
