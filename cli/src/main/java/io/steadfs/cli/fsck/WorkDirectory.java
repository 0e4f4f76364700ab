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

/** Where a check keeps its work: a directory that stays, or one that goes with the command unless something in it is to be kept. */
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

    /** It stays when the command ends. */
    void keep() {
        isKept = true;
    }

    /** Whether it stays though nobody asked for it. */
    boolean isKept() {
        return isTemporary && isKept;
    }

    /** Whether an earlier command was at the pass. */
    boolean isBegun(int number) {
        return Files.exists(pass(number));
    }

    static WorkDirectory of(Optional<Path> wished) throws IOException {
        return wished.isPresent()
                ? new WorkDirectory(wished.get(), false)
                : new WorkDirectory(Files.createTempDirectory("stead-fsck"), true);
    }

    /** Where a pass keeps what it knows. */
    Path pass(int number) {
        return path.resolve("pass-" + (1 + number));
    }

    /**
     * The pass that an earlier command did not bring to its end; of a new directory the first one.
     *
     * @throws IOException if that command ended by itself: what it knew is of its time
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

    /** @param last whether the command ends with it */
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
