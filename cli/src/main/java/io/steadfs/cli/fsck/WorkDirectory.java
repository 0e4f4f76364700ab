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
 * The directory of a check's work. It is either one that stays, or a temporary one that is deleted at the end of the command unless it
 * holds something to be kept.
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

    /** Keeps the directory at the end of the command. */
    void keep() {
        isKept = true;
    }

    /** Whether a temporary directory is kept. */
    boolean isKept() {
        return isTemporary && isKept;
    }

    /** Whether an earlier command began this pass. */
    boolean isBegun(int number) {
        return Files.exists(pass(number));
    }

    static WorkDirectory of(Optional<Path> given) throws IOException {
        return given.isPresent()
                ? new WorkDirectory(given.get(), false)
                : new WorkDirectory(Files.createTempDirectory("stead-fsck"), true);
    }

    /** The place of a pass's results. */
    Path pass(int number) {
        return path.resolve("pass-" + (1 + number));
    }

    /**
     * The pass that an earlier command did not finish; in a new directory the first one.
     *
     * @throws IOException if that command came to its end: its results may be out of date
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

    /** @param last whether the command ends with this pass */
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
