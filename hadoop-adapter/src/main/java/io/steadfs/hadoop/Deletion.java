package io.steadfs.hadoop;

import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;

/** Deletes a file or directory, and returns the same result as HDFS. */
final class Deletion {
    private Deletion() {}

    /**
     * Deletes the path. Returns false if nothing existed at the path. Returns false also for the root, because the root
     * cannot be deleted.
     */
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
            if (e.error().isAbsence()) {
                return false;
            }
            throw e;
        }
    }
}
