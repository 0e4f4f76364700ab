package io.steadfs.lab.bench.figure;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One client that creates files in some directories in turn, and deletes them. One thread uses it at a time. */
final class FileMaker implements AutoCloseable {
    private final Connection connection;
    private final List<FsPath> directories;
    private final String prefix;
    private final CreateOptions options;
    private final List<FsPath> made = new ArrayList<>();
    private final List<FileWriter> open = new ArrayList<>();
    private final List<Double> micros = new ArrayList<>();
    private long number;

    /** @param prefix of its files' names, which nobody else uses */
    FileMaker(Connection connection, List<FsPath> directories, String prefix, CreateOptions options) {
        this.connection = connection;
        this.directories = List.copyOf(directories);
        this.prefix = prefix;
        this.options = options;
    }

    /** Creates so many and leaves them open; nothing else is done. */
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

    /** How long each create took of those that are there. */
    List<Double> micros() {
        return List.copyOf(micros);
    }

    /** Closes and deletes all that are there. */
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

    @Override
    public void close() {
        connection.close();
    }
}
