package io.steadfs.lab.bench.figure;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.RenameMode;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A client that creates files in several directories in turn, and deletes the files later. Only one thread at a time
 * may use a client.
 */
final class FileMaker {
    /** Name of the file in each directory that stats ask for. */
    static final String KEPT = "kept";

    /** Number of parts of a large file that are a MiB. */
    static final int PARTS_OF_MIB = 16;

    /** A part of a large file. Small files get a beginning of it. */
    private static final byte[] CONTENT = new byte[(1 << 20) / PARTS_OF_MIB];

    private final SplittableRandom random;
    private final Connection connection;
    private final List<FsPath> directories;
    private final String prefix;
    private final CreateOptions options;
    private final List<FsPath> made = new ArrayList<>();
    private final List<FileWriter> open = new ArrayList<>();
    private final List<Double> micros = new ArrayList<>();
    private long number;
    private long moves;

    /** @param prefix beginning of the names of this client's files; no other client uses the prefix */
    FileMaker(Connection connection, List<FsPath> directories, String prefix, CreateOptions options) {
        this.random = new SplittableRandom(prefix.hashCode());
        this.connection = connection;
        this.directories = List.copyOf(directories);
        this.prefix = prefix;
        this.options = options;
    }

    /** Looks at each of its directories once. */
    void meet() throws IOException {
        for (FsPath directory : directories) {
            connection.fs().stat(directory);
        }
    }

    /** Creates this number of files and does nothing else. The files stay open. */
    void create(int files) throws IOException {
        for (int i = 0; i < files; i++) {
            FsPath path = directories.get(i % directories.size()).child(prefix + number++);
            long begun = System.nanoTime();
            FileWriter writer = connection.fs().create(path, options);
            micros.add((System.nanoTime() - begun) / 1e3);
            open.add(writer);
            made.add(path);
        }
    }

    /** Makes the large file that {@link #write} writes to. */
    void open() throws IOException {
        FsPath path = directories.get(0).child(prefix + number++);
        open.add(connection.fs().create(path, options));
        made.add(path);
    }

    /** Adds parts to the large file, each durable before the next one. Does nothing else. */
    void write(int parts) throws IOException {
        FileWriter writer = open.get(open.size() - 1);
        for (int i = 0; i < parts; i++) {
            writer.write(CONTENT, 0, CONTENT.length);
            writer.hsync();
        }
    }

    /** Makes this number of files with up to 64 KiB each, and does nothing else. */
    void small(int files) throws IOException {
        for (int i = 0; i < files; i++) {
            FsPath path = directories.get(i % directories.size()).child(prefix + number++);
            try (FileWriter writer = connection.fs().create(path, options)) {
                writer.write(CONTENT, 0, 1 + random.nextInt(CONTENT.length));
            }
            made.add(path);
        }
    }

    /** Asks for files that are there, one in each directory in turn. Does nothing else. */
    void stat(int files) throws IOException {
        for (int i = 0; i < files; i++) {
            connection.fs().stat(directories.get(i % directories.size()).child(KEPT));
        }
    }

    /** The client's directory that moves, in a directory of the client. */
    FsPath moving(FsPath directory) {
        return directory.child(prefix + "moving");
    }

    /** Gives the directory that moves another parent, again and again, from the first directory on. */
    void move(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            FsPath from = directories.get((int) (moves % directories.size()));
            FsPath to = directories.get((int) (++moves % directories.size()));
            connection.fs().rename(moving(from), moving(to), RenameMode.NO_REPLACE);
        }
    }

    /** Makes this number of directories, and renames each into another directory. Only the renames are timed. */
    void renameTasks(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            String name = prefix + number++;
            FsPath from = directories.get(0).child(name);
            FsPath to = directories.get(1).child(name);
            connection.fs().mkdirs(from, 0755, false, true);
            rename(from, to);
            made.add(to);
        }
    }

    /**
     * Renames a directory this number of times, there and back between two directories. Before each rename, each shard
     * takes a copy of it to answer for a directory below. Only the renames are timed.
     */
    void renameKnown(int times, int shards) throws IOException {
        FsPath known = moving(directories.get(0));
        Set<String> below = known(known, shards);
        for (int i = 0; i < times; i++) {
            for (String each : below) {
                connection.fs().find(known.child(each).child("nothing"));
            }
            FsPath to = moving(directories.get((i + 1) % directories.size()));
            rename(known, to);
            known = to;
        }
        connection.fs().delete(known, true);
    }

    /** Makes the directory, with one below it on each shard. Returns the names of those below. */
    private Set<String> known(FsPath directory, int shards) throws IOException {
        Map<Integer, String> below = new HashMap<>();
        connection.fs().mkdirs(directory, 0755, false, true);
        for (int i = 0; below.size() < shards; i++) {
            String name = "below-" + i;
            FileInfo made = connection.fs().mkdirs(directory.child(name), 0755, false, true);
            below.putIfAbsent(made.handle().shard(), name);
        }
        return Set.copyOf(below.values());
    }

    private void rename(FsPath from, FsPath to) throws IOException {
        long begun = System.nanoTime();
        connection.fs().rename(from, to, RenameMode.NO_REPLACE);
        micros.add((System.nanoTime() - begun) / 1e3);
    }

    /** How long each create or rename took since the last {@link #delete}, in microseconds. */
    List<Double> micros() {
        return List.copyOf(micros);
    }

    /** Closes and deletes all files that this client created. */
    void delete() throws IOException {
        for (FileWriter writer : open) {
            writer.close();
        }
        open.clear();
        for (FsPath path : made) {
            connection.fs().delete(path, false);
        }
        made.clear();
        micros.clear();
    }
}
