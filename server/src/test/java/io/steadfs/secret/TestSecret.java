package io.steadfs.secret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A cluster secret for servers of a test. */
public final class TestSecret {
    private TestSecret() {}

    /** Made in the directory if it is not there; for {@link SecretFile#FILE}. */
    public static String in(Path directory) {
        Path file = directory.resolve("cluster.secret");
        try {
            SecretFile.makeIfMissing(file);
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
