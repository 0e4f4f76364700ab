package io.steadfs.it.judge;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;

/** One user on one side, with the streams that he has open. Not for several threads. */
final class Actor {
    private final FileSystem files;
    private final FileContext context;
    private final Map<Integer, FSDataOutputStream> writers = new LinkedHashMap<>();
    private final Map<Integer, FSDataInputStream> readers = new LinkedHashMap<>();
    private Path base = new Path("/");

    Actor(FileSystem files, FileContext context) {
        this.files = files;
        this.context = context;
    }

    /** The same user with a file system that was closed. */
    Actor closed() throws IOException {
        FileSystem closed = FileSystem.newInstance(files.getUri(), files.getConf());
        closed.close();
        Actor actor = new Actor(closed, context);
        actor.base = base;
        return actor;
    }

    void begin(Path directory) throws IOException {
        base = directory;
        files.setWorkingDirectory(directory);
        context.setWorkingDirectory(files.makeQualified(directory));
    }

    /** Closes what is open; a stream whose file is gone fails, and is gone, too. */
    void end() {
        List<AutoCloseable> open = new ArrayList<>(writers.values());
        open.addAll(readers.values());
        writers.clear();
        readers.clear();
        for (AutoCloseable stream : open) {
            try {
                stream.close();
            } catch (Exception e) {
                // What a call answers is compared; this is the clearing up.
            }
        }
    }

    FileSystem files() {
        return files;
    }

    FileContext context() {
        return context;
    }

    URI uri() {
        return files.getUri();
    }

    Path base() {
        return base;
    }

    LeaseRecoverable leases() {
        return (LeaseRecoverable) files;
    }

    /** Whether it has writers. Closed ones stay, so that they are used again. */
    boolean hasWriters() {
        return !writers.isEmpty();
    }

    /** The stream takes the place of another one, which is closed before. */
    void put(int slot, FSDataOutputStream stream) throws IOException {
        FSDataOutputStream old = writers.put(slot, stream);
        if (old != null) {
            old.close();
        }
    }

    void put(int slot, FSDataInputStream stream) throws IOException {
        FSDataInputStream old = readers.put(slot, stream);
        if (old != null) {
            old.close();
        }
    }

    Optional<FSDataOutputStream> writer(int slot) {
        return Optional.ofNullable(writers.get(slot));
    }

    Optional<FSDataInputStream> reader(int slot) {
        return Optional.ofNullable(readers.get(slot));
    }
}
