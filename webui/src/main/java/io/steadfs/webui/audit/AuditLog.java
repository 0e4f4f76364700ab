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
 * The changes and who made them: one JSON object a line, oldest first. A line is on stable storage before the change begins, and another
 * one when its outcome is known. A line that is cut short, because the machine stopped, is skipped. Thread-safe.
 *
 * <p>A file of {@value #MOST_BYTES} bytes is renamed to {@code audit.log.1}, and the numbers of the files before it rise by one.
 * {@value #MOST_OLD} of these old files are kept.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final String FILE = "audit.log";
    private static final long MOST_BYTES = 4 << 20;
    private static final int MOST_OLD = 15;
    /** The most searches at once: each has all files open, and writers need file descriptors, too. */
    private static final int MOST_LOOKS = 4;

    private final Path file;
    private final long mostBytes;
    private FileChannel channel;
    private final ObjectMapper json = new ObjectMapper();
    private final Semaphore looks = new Semaphore(MOST_LOOKS);
    private long number;
    /** Bytes of whole lines. */
    private long size;

    /**
     * A line.
     *
     * @param number in the order in which they were written, from 1
     * @param at milliseconds since 1970
     * @param address that the request came from
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
        /** @param search in lower case */
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

    /** @throws IOException naming the file, if it cannot be read or written */
    public static AuditLog in(Path directory) throws IOException {
        return in(directory, MOST_BYTES);
    }

    /** @param mostBytes of a file before it is put aside; one line may exceed it */
    static AuditLog in(Path directory, long mostBytes) throws IOException {
        DurableDirectories.make(directory);
        // Whoever made the directory may have left it open to other users.
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

    /** Number of the last line; 0 if there is none. */
    private long lastNumber() throws IOException {
        List<Entry> last = before(0, "", 1);
        return last.isEmpty() ? 0 : last.get(0).number();
    }

    private Path old(int age) {
        return file.resolveSibling(FILE + "." + age);
    }

    /** Opens the present files, the newest first. Only writers rename files, and they wait while this method opens files. */
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

    /** Open files. They are read as they were when they were opened, even if they are renamed. */
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
     * Begins a new file. If the process ends at any step, each line is in one file, and the files are in order. The new file is made first:
     * if that fails, for example without a free descriptor, nothing changes, however often it is tried.
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

    /** The numbers of the files up to the first gap rise by one. The oldest file is replaced only if there is no gap. */
    private void makePlaceForYoungest() throws IOException {
        int gap = 1;
        while (gap < MOST_OLD && Files.exists(old(gap))) {
            gap++;
        }
        for (int age = gap - 1; age > 0; age--) {
            Files.move(old(age), old(age + 1), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Bytes that are no text, as after a loss of power, must not end the search of the other lines. */
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

    /** @throws IOException if the line cannot be made durable: then nothing may be changed */
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
            // The rest of a partial line would be taken for the beginning of the next one.
            channel.truncate(size);
            throw e;
        }
        size = channel.size();
        number++;
    }

    /**
     * Lines before a number, newest first; all if the number is 0. No writer waits for it: the files are opened at one moment, and are read
     * while further lines may be added to the newest. A line that is being written is skipped.
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
