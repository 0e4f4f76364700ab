package io.steadfs.ioserver.lane;

import io.steadfs.disk.DiskFailure;
import io.steadfs.error.FsError;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** Maps failures of the disk to errors of the protocol. */
public final class DiskErrors {
    private DiskErrors() {}

    public static FsError of(IOException failure) {
        if (DiskFailure.isNoSpace(failure)) {
            return FsError.NO_SPACE;
        }
        // The row counts bytes that are missing, or the row cannot be decoded.
        if (failure instanceof EOFException
                || failure instanceof NoSuchFileException
                || failure instanceof UnreadableDatafileException) {
            return FsError.CORRUPT;
        }
        return FsError.IO_ERROR;
    }

    public static String message(IOException failure) {
        return failure instanceof NoSuchFileException
                ? "missing file " + failure.getMessage()
                : String.valueOf(failure.getMessage());
    }
}
