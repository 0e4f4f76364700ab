package io.steadfs.webui.audit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.disk.DurableDirectories;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was changed, by whom: one JSON object a line, oldest first, on stable storage before the change is begun and again when its outcome is
 * known. A line that ends early, because the machine did, is passed over. Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final String FILE = "audit.log";

    private final Path file;
    private final FileChannel channel;
    private final ObjectMapper json = new ObjectMapper();
    private long number;
    /** Of whole lines. */
    private long size;

    /**
     * A line.
     *
     * @param number in the order in which they were written, from 1
     * @param at milliseconds since 1970
     * @param address that the request came from
     * @param outcome "begun", "done", or why not
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

    private AuditLog(Path file, FileChannel channel, long number, long size) {
        this.size = size;
        this.file = file;
        this.channel = channel;
        this.number = number;
    }

    /** @throws IOException naming the file, if it cannot be read or written */
    public static AuditLog in(Path directory) throws IOException {
        DurableDirectories.make(directory);
        Path file = directory.resolve(FILE);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        DurableDirectories.sync(directory);
        long lines;
        try (BufferedReader all = reader(file)) {
            lines = all.lines().count();
        }
        if (channel.size() > 0 && !endsWithLine(file, channel.size())) {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
        return new AuditLog(file, channel, lines, channel.size());
    }

    /** Bytes that are no text, after a machine lost its power, end no look at the others. */
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

    /** @throws IOException if it cannot be made durable: then nothing may be changed */
    public synchronized void add(
            long at, String user, String role, String address, String action, String target, String outcome)
            throws IOException {
        Entry entry = new Entry(number + 1, at, user, role, address, action, target, outcome);
        ByteBuffer line = ByteBuffer.wrap((json.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(false);
        } catch (IOException e) {
            // A part of a line would be taken for the beginning of the next one.
            channel.truncate(size);
            throw e;
        }
        size = channel.size();
        number++;
    }

    /** Newest first, those before a number; all where that is 0. */
    public List<Entry> before(long before, String search, int limit) throws IOException {
        List<Entry> found = new ArrayList<>();
        try (BufferedReader lines = reader(file)) {
            lines.lines()
                    .forEach(line -> read(line).ifPresent(entry -> {
                        if ((before == 0 || entry.number() < before) && entry.has(search)) {
                            found.add(entry);
                            if (found.size() > limit) {
                                found.remove(0);
                            }
                        }
                    }));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Collections.reverse(found);
        return found;
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
    public void close() throws IOException {
        channel.close();
    }
}
