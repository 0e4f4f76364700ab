package io.steadfs.cli.fsck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory for the work of a check. A directory that the user named always stays. A temporary directory is deleted
 * at the end of the command, except if {@link #keep} was called.
 */
final class WorkDirectory implements AutoCloseable {
    private static final String ENDED = "ended";

    private final Path path;
    private final boolean isTemporary;
    private boolean isKept;

    private WorkDirectory(Path path, boolean isTemporary) {
        this.path = path;
        this.isTemporary = isTemporary;
    }

    Path path() {
        return path;
    }

    /** Keeps the directory after the end of the command. */
    void keep() {
        isKept = true;
    }

    /** Whether the directory is temporary and is kept. */
    boolean isKept() {
        return isTemporary && isKept;
    }

    /** Whether an earlier command already began this pass. */
    boolean isBegun(int number) {
        return Files.exists(pass(number));
    }

    static WorkDirectory of(Optional<Path> given) throws IOException {
        return given.isPresent()
                ? new WorkDirectory(given.get(), false)
                : new WorkDirectory(Files.createTempDirectory("stead-fsck"), true);
    }

    /** The directory for the results of a pass. */
    Path pass(int number) {
        return path.resolve("pass-" + (1 + number));
    }

    /**
     * The number of the first pass to run, from 0. If an earlier command used this directory, its unfinished pass is
     * the first pass to run.
     *
     * @throws IOException if the earlier command finished its check, because the results may be out of date
     */
    int firstPass() throws IOException {
        if (Files.exists(path.resolve(ENDED))) {
            throw new FileAlreadyExistsException(
                    path.toString(), null, "is of a check that came to its end; give another directory, or remove it");
        }
        int pass = 0;
        while (Files.exists(mark(pass))) {
            pass++;
        }
        return pass;
    }

    private Path mark(int pass) {
        return path.resolve("pass-" + (1 + pass) + "." + ENDED);
    }

    /** @param last whether this pass is the last pass of the command */
    void ended(int pass, boolean last) throws IOException {
        Files.createFile(mark(pass));
        if (last) {
            Files.createFile(path.resolve(ENDED));
        }
    }

    @Override
    public void close() throws IOException {
        if (!isTemporary || isKept) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
