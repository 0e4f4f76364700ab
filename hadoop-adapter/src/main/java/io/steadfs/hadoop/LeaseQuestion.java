package io.steadfs.hadoop;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Asks who writes a file. If the path is no file, the error has HDFS's words. */
interface LeaseQuestion {
    boolean ask() throws IOException;

    /** Asks the question about this path. */
    static boolean of(Path path, LeaseQuestion question) throws IOException {
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
