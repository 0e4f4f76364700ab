package io.steadfs.cli.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Steps that undo what a command did, newest first. They are run at the end of its work, or when the process is told to stop (Ctrl-C),
 * whichever comes first. Each step is run once.
 */
public final class Cleanup implements AutoCloseable {
    private final Deque<AutoCloseable> steps = new ArrayDeque<>();
    private boolean closed;

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "cleanup"));
    }

    /** Adds a step. If the process is stopping already, runs it at once. Returns its argument. */
    public <T extends AutoCloseable> T add(T step) {
        synchronized (this) {
            if (!closed) {
                steps.push(step);
                return step;
            }
        }
        run(step);
        return step;
    }

    /** Makes an empty folder, which is removed with everything in it at the end. */
    public Path temporaryFolder(String prefix) throws IOException {
        return removedAtEnd(Files.createTempDirectory(prefix));
    }

    /** Does the same as {@link #temporaryFolder(String)}, in an existing folder. */
    public Path temporaryFolder(Path parent, String prefix) throws IOException {
        return removedAtEnd(Files.createTempDirectory(parent, prefix));
    }

    private Path removedAtEnd(Path folder) {
        add(() -> remove(folder));
        return folder;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!steps.isEmpty()) {
            run(steps.pop());
        }
    }

    private static void run(AutoCloseable step) {
        try {
            step.close();
        } catch (Exception e) {
            // Later steps must be run all the same, and only the user is left to be told.
            System.err.println("stead: while cleaning up: " + e);
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
