package io.steadfs.webui.audit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.OwnerOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of all changes and of the users who made them. The log has one JSON object on each line, and the oldest line
 * comes first. The first line about a change is on stable storage before the change begins. The log gets a second line
 * after the outcome of the change is known. If the machine stops, a line may be incomplete. Readers skip incomplete
 * lines. Thread-safe.
 *
 * <p>After a file has {@value #MOST_BYTES} bytes, the log renames the file to {@code audit.log.1}. The number of each
 * older file then rises by one. The log keeps {@value #MOST_OLD} old files.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final String FILE = "audit.log";
    private static final long MOST_BYTES = 4 << 20;
    private static final int MOST_OLD = 15;
    /**
     * The largest number of searches at the same time. Each search has all files open, and writers need file
     * descriptors too.
     */
    private static final int MOST_LOOKS = 4;

    private final Path file;
    private final long mostBytes;
    private FileChannel channel;
    private final ObjectMapper json = new ObjectMapper();
    private final Semaphore looks = new Semaphore(MOST_LOOKS);
    private long number;
    /** Number of bytes of all complete lines in the newest file. */
    private long size;

    /**
     * A line of the log.
     *
     * @param number position of the line in the order of writing, from 1
     * @param at milliseconds since 1970
     * @param address network address from which the request came
     * @param outcome "begun", "done", or the reason of a failure
     */
    public record Entry(
            long number,
            long at,
            String user,
            String role,
            String address,
            String action,
            String target,
            String outcome) {
        /** @param search the text to find, in lower case */
        boolean has(String search) {
            return Stream.of(user, role, address, action, target, outcome)
                    .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(search));
        }
    }

    private AuditLog(Path file, long mostBytes, FileChannel channel, long number, long size) {
        this.size = size;
        this.file = file;
        this.mostBytes = mostBytes;
        this.channel = channel;
        this.number = number;
    }

    /** @throws IOException if the file cannot be read or written; the message names the file */
    public static AuditLog in(Path directory) throws IOException {
        return in(directory, MOST_BYTES);
    }

    /** @param mostBytes size in bytes at which the log begins a new file; a single line may be longer */
    static AuditLog in(Path directory, long mostBytes) throws IOException {
        DurableDirectories.make(directory);
        // The process that created the directory may have left it open to other users.
        OwnerOnly.close(directory);
        Path file = directory.resolve(FILE);
        FileChannel channel = open(file);
        if (channel.size() > 0 && !endsWithLine(file, channel.size())) {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
        AuditLog log = new AuditLog(file, mostBytes, channel, 0, channel.size());
        log.number = log.lastNumber();
        return log;
    }

    private static FileChannel open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                OwnerOnly.file());
        try {
            DurableDirectories.sync(Objects.requireNonNull(file.getParent()));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    /** Number of the last line; 0 if the log has no line. */
    private long lastNumber() throws IOException {
        List<Entry> last = before(0, "", 1);
        return last.isEmpty() ? 0 : last.get(0).number();
    }

    private Path old(int age) {
        return file.resolveSibling(FILE + "." + age);
    }

    /**
     * Opens all files of the log, the newest first. Only writers rename files, and writers wait while this method runs.
     */
    private synchronized OpenedFiles opened() throws IOException {
        OpenedFiles opened = new OpenedFiles();
        try {
            for (int age = 0; age <= MOST_OLD; age++) {
                Path each = age == 0 ? file : old(age);
                if (Files.exists(each)) {
                    opened.add(each);
                }
            }
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /** The open files of one search. If a writer renames such a file, the search still reads the same contents. */
    private static final class OpenedFiles implements AutoCloseable {
        private final List<BufferedReader> newestFirst = new ArrayList<>();

        void add(Path file) throws IOException {
            newestFirst.add(reader(file));
        }

        List<BufferedReader> newestFirst() {
            return newestFirst;
        }

        @Override
        public void close() throws IOException {
            for (BufferedReader each : newestFirst) {
                each.close();
            }
        }
    }

    /**
     * Begins a new file. The process may end after any step of this method. Even then, each line is in exactly one
     * file, and the files have the right order. The method creates the new file first, because this step can fail, for
     * example for lack of a file descriptor. If the new file cannot be created, the old files stay unchanged.
     */
    private void putAside() throws IOException {
        Path next = file.resolveSibling(FILE + ".next");
        FileChannel fresh = open(next);
        try {
            makePlaceForYoungest();
            if (Files.exists(file)) {
                Files.move(file, old(1), StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            DurableDirectories.sync(Objects.requireNonNull(file.getParent()));
        } catch (IOException e) {
            fresh.close();
            throw e;
        }
        channel.close();
        channel = fresh;
        size = 0;
    }

    /**
     * Raises the number of each old file by one, up to the first unused number. If there is no unused number, the
     * next-oldest file replaces the oldest file.
     */
    private void makePlaceForYoungest() throws IOException {
        int gap = 1;
        while (gap < MOST_OLD && Files.exists(old(gap))) {
            gap++;
        }
        for (int age = gap - 1; age > 0; age--) {
            Files.move(old(age), old(age + 1), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * A loss of power can leave bytes that are no valid text. Such bytes must not end the search, so this reader
     * replaces them with a placeholder.
     */
    private static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
    }

    private static boolean endsWithLine(Path file, long size) throws IOException {
        try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            reader.read(last, size - 1);
            return last.get(0) == '\n';
        }
    }

    /** @throws IOException if the line cannot be made durable. In this case, the caller must not make the change. */
    public synchronized void add(
            long at, String user, String role, String address, String action, String target, String outcome)
            throws IOException {
        Entry entry = new Entry(number + 1, at, user, role, address, action, target, outcome);
        ByteBuffer line = ByteBuffer.wrap((json.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8));
        if (size > 0 && size + line.remaining() > mostBytes) {
            putAside();
        }
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(false);
        } catch (IOException e) {
            // The next line would otherwise continue the partial line.
            channel.truncate(size);
            throw e;
        }
        size = channel.size();
        number++;
    }

    /**
     * Returns the lines with a number below {@code before}, newest first; 0 = all lines. Writers wait only while this
     * method opens the files. Writers may add lines while this method reads the files. The method skips a line that is
     * not yet completely written.
     */
    public List<Entry> before(long before, String search, int limit) throws IOException {
        List<Entry> found = new ArrayList<>();
        looks.acquireUninterruptibly();
        try (OpenedFiles files = opened()) {
            for (BufferedReader each : files.newestFirst()) {
                if (found.size() < limit) {
                    found.addAll(last(each, before, search, limit - found.size()));
                }
            }
        } finally {
            looks.release();
        }
        return List.copyOf(found);
    }

    private List<Entry> last(BufferedReader file, long before, String search, int limit) throws IOException {
        ArrayDeque<Entry> found = new ArrayDeque<>();
        try {
            file.lines()
                    .forEach(line -> read(line).ifPresent(entry -> {
                        if ((before == 0 || entry.number() < before) && entry.has(search)) {
                            found.addFirst(entry);
                            if (found.size() > limit) {
                                found.removeLast();
                            }
                        }
                    }));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return List.copyOf(found);
    }

    private Optional<Entry> read(String line) {
        try {
            return Optional.of(json.readValue(line, Entry.class));
        } catch (JacksonException e) {
            LOG.debug("{}: a line that is none: {}", file, e.getOriginalMessage());
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
