package io.steadfs.hadoop;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.io.FileNotFoundException;
import java.io.IOException;

/** Asks whether a client is writing a file. If the path is no file, the exception has the same words as in HDFS. */
interface LeaseQuestion {
    boolean ask() throws IOException;

    /** Asks the question. An exception names the given path. */
    static boolean of(AbsolutePath path, LeaseQuestion question) throws IOException {
        try {
            return question.ask();
        } catch (FileNotFoundException e) {
            boolean directory =
                    e.getCause() instanceof FsException refused && refused.error() == FsError.IS_A_DIRECTORY;
            FileNotFoundException told =
                    new FileNotFoundException((directory ? "Path is not a file: " : "File does not exist: ") + path);
            told.initCause(e);
            throw told;
        }
    }
}
