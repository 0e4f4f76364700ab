package io.steadfs.store.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Finds out where a write-ahead log ends that was written over zeros ({@link LogRoom}). After a crash there are zeros
 * behind the last record. The last record may be unfinished: the disk has some of its sectors, and the others are still
 * zeros. RocksDB takes such a record for damage, so the log is cut before it.
 *
 * <pre>
 *  behind the last good record                        is                          then
 *  -------------------------------------------------  --------------------------  -----------------------
 *  nothing, or zeros                                  room                        it is cut off
 *  no record, but behind it another one begins        damage: a commit begins     the store is refused
 *                                                     when the last one is
 *                                                     durable
 *  a part of a record, all there but its length       damage                      the store is refused
 *  a part of a record with a sector of zeros in it    a commit that did not end,  it is cut off
 *                                                     so nobody heard of it
 *  a part of a record, up to the end of the file      the same, in a log without  nothing: RocksDB passes
 *                                                     room                        over it
 *  no record, and no sector of zeros in it            damage: a disk writes a     the store is refused
 *                                                     sector as a whole
 * </pre>
 *
 * <p>RocksDB alone would not notice all damage. Where it finds zeros in place of a record, it silently passes over the
 * rest of the block of 32 KiB, with all records there.
 *
 * <p>If the disk loses a sector of the last record, although it had confirmed it, that looks like an unfinished commit. A
 * log that grows has the same gap: the disk may lose the file's new length. The marks of the store tell of every lost
 * change that is older than a second.
 *
 * <p>Each record must be synced before the next one is written.
 */
final class LogEnd {
    private static final int SECTOR = 512;

    private final FileChannel log;
    private final long length;
    /** The block that was read last. Every part of a record is in one block. */
    private byte[] block = {};
    /** Where this block begins in the file. */
    private long from;
    /** Behind the last byte of the file that is not zero. */
    private final long used;

    private LogEnd(FileChannel log) throws IOException {
        this.log = log;
        this.length = log.size();
        this.used = used();
    }

    /**
     * Cuts the newest log of a store that has anything behind its last record. Nobody else may use the store.
     *
     * @throws IOException if the log is damaged, or cannot be read or cut
     */
    static void cutNewest(Path directory) throws IOException {
        for (Path log : LogRoom.logs(directory)) {
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                LogEnd end = new LogEnd(channel);
                long behindLast = end.find()
                        .orElseThrow(() -> new IOException(
                                "Corruption in its log " + log.getFileName() + ": a record is not what was written"));
                if (behindLast < end.length) {
                    channel.truncate(behindLast);
                    channel.force(true);
                }
                if (end.used > 0) {
                    return;
                }
            }
        }
    }

    /** Returns the length that the log should have: behind its last record. Empty if the log is damaged. */
    static OptionalLong of(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            return new LogEnd(channel).find();
        }
    }

    private long used() throws IOException {
        for (long at = (length - 1) / LogFile.BLOCK * LogFile.BLOCK; at >= 0; at -= LogFile.BLOCK) {
            load(at);
            for (int i = block.length; i > 0; i--) {
                if (block[i - 1] != 0) {
                    return at + i;
                }
            }
        }
        return 0;
    }

    private void load(long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(LogFile.BLOCK, length - at));
        while (bytes.hasRemaining()) {
            if (log.read(bytes, at + bytes.position()) < 0) {
                throw new IOException("a log of " + length + " bytes ends at byte " + (at + bytes.position()));
            }
        }
        block = bytes.array();
        from = at;
    }

    /** The offset in the block behind the last byte that is used. */
    private int usedHere() {
        return (int) Math.min(block.length, used - from);
    }

    private OptionalLong find() throws IOException {
        long whole = 0;
        for (long next = 0; next < used; next += LogFile.BLOCK) {
            load(next);
            int at = 0;
            while (at < usedHere()) {
                int bytes = LogFile.partAt(block, at);
                if (bytes == 0) {
                    return behind(whole, at);
                }
                if (LogFile.isLastPart(block, at)) {
                    whole = from + at + bytes;
                }
                at = LogFile.place(at + bytes);
            }
        }
        return OptionalLong.of(whole);
    }

    /** Decides about the bytes from this offset in the block on, which are no good part of a record. */
    private OptionalLong behind(long whole, int at) throws IOException {
        boolean lacksSector = lacksSector(at);
        boolean isToEnd = from + LogFile.claimedEnd(block, at) == length;
        if (LogFile.isPartOfAnyLength(block, at) || anotherBegins(at + 1)) {
            return OptionalLong.empty();
        }
        if (lacksSector) {
            return OptionalLong.of(whole);
        }
        return isToEnd ? OptionalLong.of(length) : OptionalLong.empty();
    }

    /** Whether a sector of the part at this offset is not written. */
    private boolean lacksSector(int at) {
        int sector = at - at % SECTOR + SECTOR;
        if (isZeros(at, sector)) {
            return true;
        }
        // The header may lie in two sectors, and tells the length only if both are there.
        int end = sector < at + LogFile.HEADER && isZeros(sector, sector + SECTOR)
                ? at + LogFile.HEADER
                : LogFile.claimedEnd(block, at);
        while (sector < end) {
            if (isZeros(sector, sector + SECTOR)) {
                return true;
            }
            sector += SECTOR;
        }
        return false;
    }

    private boolean isZeros(int first, int behind) {
        for (int i = first; i < Math.min(behind, usedHere()); i++) {
            if (block[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a good record begins in this block, from this offset on, or in a later one. */
    private boolean anotherBegins(int first) throws IOException {
        if (beginsHere(first)) {
            return true;
        }
        for (long next = from + LogFile.BLOCK; next < used; next += LogFile.BLOCK) {
            load(next);
            if (beginsHere(0)) {
                return true;
            }
        }
        return false;
    }

    private boolean beginsHere(int first) {
        for (int at = first; at < usedHere(); at++) {
            if (LogFile.isFirstPart(block, at) && LogFile.partAt(block, at) > 0) {
                return true;
            }
        }
        return false;
    }
}
