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
 * Undoes what a command did, in steps. The newest step runs first. The steps run at the end of the command, or earlier
 * if a user stops the process (Ctrl-C). Each step runs once.
 */
public final class Cleanup implements AutoCloseable {
    private final Deque<AutoCloseable> steps = new ArrayDeque<>();
    private boolean closed;

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "cleanup"));
    }

    /** Adds a step. If the process is already stopping, runs the step at once. Returns {@code step}. */
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

    /** Creates an empty folder. The cleanup removes the folder with all its contents. */
    public Path temporaryFolder(String prefix) throws IOException {
        return removedAtEnd(Files.createTempDirectory(prefix));
    }

    /** Creates an empty folder in an existing folder. The cleanup removes the new folder with all its contents. */
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
            // The remaining steps must still run. So the method only prints the failure.
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
