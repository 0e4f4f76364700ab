package io.steadfs.store.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps zeros at the end of RocksDB's newest write-ahead log. RocksDB writes its records over the zeros. A sync then
 * writes the record and nothing else. If a record makes the file longer, its sync also waits for the journal of the file
 * system, because the length must be durable too.
 *
 * <pre>
 *  | record | record | record | zeros ............ |
 *                             ^ RocksDB's place    ^ length of the file
 * </pre>
 *
 * <p><b>No record is overwritten.</b> Zeros are added at the length of the file. RocksDB's place is never behind the
 * length, and RocksDB does not write meanwhile. What this class knows of RocksDB's place is an estimate, which only
 * decides when zeros are added.
 *
 * <p>RocksDB cuts the zeros off when it closes a log. After a crash they are there, and {@link LogEnd} cuts them off.
 *
 * <p>One thread at a time may use this class, and no commit may be under way meanwhile.
 */
final class LogRoom implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogRoom.class);

    /** Orders logs by their numbers, which have six digits or more. */
    private static final Comparator<Path> NUMBER = Comparator.comparingInt(
                    (Path file) -> file.getFileName().toString().length())
            .thenComparing(Comparator.naturalOrder());

    /** How many bytes of zeros are added at a time. The next sync writes them to the disk, so they are few. */
    static final int STEP = 256 << 10;

    /** If fewer bytes of zeros are left, more are added. */
    private static final int LEAST = 128 << 10;

    /** After how many commits the newest log is looked for. */
    private static final int LOOK_EVERY = 32;

    /** RocksDB adds about so many bytes to a batch in its log. */
    private static final int BYTES_BESIDE_BATCH = 64;

    private final Path directory;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(STEP);
    private Optional<Path> log = Optional.empty();
    private Optional<FileChannel> channel = Optional.empty();
    private long left;
    private int commits;
    /** Whether a log that may be the newest one has zeros. */
    private boolean hasZeros;
    /** Whether no zeros are added any more. Those that are there stay. */
    private boolean failed;

    LogRoom(Path directory) {
        this.directory = directory;
    }

    /** Returns the write-ahead logs of a store, the newest one first. */
    static List<Path> logs(Path directory) throws IOException {
        List<Path> logs = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "*.log")) {
            all.forEach(logs::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        logs.sort(NUMBER.reversed());
        return logs;
    }

    /** Whether the newest log may have zeros. Then each record must be synced before the next one is written. */
    boolean hasZeros() {
        return hasZeros;
    }

    /** Notes a synced commit of a batch of this size. Adds zeros if few are left for the next commits. */
    void committed(long bytes) {
        if (failed) {
            return;
        }
        try {
            if (commits++ % LOOK_EVERY == 0) {
                look();
            }
            left -= bytes + BYTES_BESIDE_BATCH;
            if (left < LEAST && channel.isPresent()) {
                extend(channel.get());
            }
        } catch (IOException e) {
            // Syncs take longer without zeros, and nothing else is different. If the disk is full, RocksDB says so.
            LOG.warn("the log of {} gets no zeros for its next records", directory, e);
            failed = true;
            close();
        }
    }

    private void look() throws IOException {
        Optional<Path> newest = logs(directory).stream().findFirst();
        if (newest.isPresent() && !newest.equals(log)) {
            close();
            channel = Optional.of(FileChannel.open(newest.get(), StandardOpenOption.WRITE));
            log = newest;
            hasZeros = false;
            left = 0;
        }
    }

    private void extend(FileChannel file) throws IOException {
        hasZeros = true;
        long at = file.size();
        long end = at + STEP;
        while (at < end) {
            zeros.clear();
            at += file.write(zeros, at);
        }
        left = Math.max(left, 0) + STEP;
    }

    @Override
    public void close() {
        try {
            if (channel.isPresent()) {
                channel.get().close();
            }
        } catch (IOException e) {
            LOG.warn("a log of {} was not closed", directory, e);
        }
        channel = Optional.empty();
        log = Optional.empty();
    }
}
