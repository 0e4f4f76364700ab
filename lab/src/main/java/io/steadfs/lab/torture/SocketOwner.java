package io.steadfs.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Finds the process that has a given local port. The source is what Linux shows under {@code /proc}. */
final class SocketOwner implements IntFunction<String> {
    private static final int LOCAL_ADDRESS = 1;
    private static final int INODE = 9;

    private final Supplier<Map<Long, String>> processes;

    /** @param processes returns the names of the processes, by process id */
    SocketOwner(Supplier<Map<Long, String>> processes) {
        this.processes = processes;
    }

    /** Returns the name of the process that has this port; {@code ?} = no known process has the port any more. */
    @Override
    public String apply(int port) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            inodes(Path.of(table), port, sockets);
        }
        for (Map.Entry<Long, String> process : processes.get().entrySet()) {
            if (owns(process.getKey(), sockets)) {
                return process.getValue();
            }
        }
        return "?";
    }

    private static void inodes(Path table, int port, Set<String> into) {
        String suffix = String.format(":%04X", port);
        try (Stream<String> lines = Files.lines(table)) {
            lines.map(line -> line.trim().split("\\s+"))
                    .filter(fields -> fields.length > INODE && fields[LOCAL_ADDRESS].endsWith(suffix))
                    .forEach(fields -> into.add("socket:[" + fields[INODE] + "]"));
        } catch (IOException | UncheckedIOException e) {
            // This table does not exist on this machine.
        }
    }

    private static boolean owns(long pid, Set<String> sockets) {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.anyMatch(file -> sockets.contains(target(file)));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
