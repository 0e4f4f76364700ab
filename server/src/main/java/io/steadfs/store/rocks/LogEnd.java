package io.steadfs.store.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
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
 * <p>If the disk loses a sector of the last record, although it had confirmed it, that looks like an unfinished commit.
 * A log that grows has the same gap: the disk may lose the file's new length. The marks of the store tell of every lost
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
    /** Behind the last whole record before the place that was looked at last. */
    private long whole;

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
                long behindLast = end.find().orElseThrow(() -> new IOException(damaged(log)));
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

    /**
     * Cuts the newest log of a store whose commits are synced in groups, if a power loss has left a hole in it. What
     * was not synced lies behind the last sync, and the disk may have any sectors of it: also the records behind those
     * that it lost. RocksDB would refuse such a log, or pass over the rest of a block and go on behind it.
     *
     * <pre>
     *  a record that is not whole                         then
     *  -------------------------------------------------  -------------------------------------------------
     *  lacks a sector, and no noted sync behind it ended  the log is cut before it: nobody heard of it
     *  lacks a sector, and a noted sync behind it ended   damage: the store is refused
     *  has all its sectors                                left to RocksDB: damage, or it ends with the file
     * </pre>
     *
     * <p>A sync is noted by a commit that is synced itself. It has ended if another record begins behind that commit.
     * If the bytes of the note are in a row by chance, a hole may be taken for damage. If the disk loses a sector that
     * it had confirmed, and no sync was noted behind it, that looks like a hole. The marks of the store bound that to
     * about a second. A hole in an older log than the newest is left to RocksDB.
     *
     * @param syncNote bytes that are in each commit that notes a sync
     * @return what was cut off, for the log of the process; empty if nothing was
     * @throws IOException if the log is damaged, or cannot be read or cut
     */
    static Optional<String> cutHole(Path directory, byte[] syncNote) throws IOException {
        for (Path log : LogRoom.logs(directory)) {
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                LogEnd end = new LogEnd(channel);
                if (end.used == 0) {
                    continue;
                }
                if (!end.hasHole()) {
                    return Optional.empty();
                }
                if (end.hasEndedSync(syncNote)) {
                    throw new IOException(damaged(log));
                }
                channel.truncate(end.whole);
                channel.force(true);
                return Optional.of(log.getFileName() + " from byte " + end.whole + " to " + end.used);
            }
        }
        return Optional.empty();
    }

    private static String damaged(Path log) {
        return "Corruption in its log " + log.getFileName() + ": a record is not what was written";
    }

    /** Whether the first record that is not whole lacks a sector. */
    private boolean hasHole() throws IOException {
        OptionalLong bad = findBad();
        // The last part that is there may be whole, and not the last one of its record.
        return bad.isPresent() ? lacksSector((int) (bad.getAsLong() - from)) : whole < used && used < length;
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
        OptionalLong bad = findBad();
        return bad.isEmpty() ? OptionalLong.of(whole) : behind((int) (bad.getAsLong() - from));
    }

    /**
     * Finds the first place of the log, in its block {@link #from}, that is no good part of a record. Empty if there is
     * none.
     */
    private OptionalLong findBad() throws IOException {
        whole = 0;
        for (long next = 0; next < used; next += LogFile.BLOCK) {
            load(next);
            int at = 0;
            while (at < usedHere()) {
                int bytes = LogFile.partAt(block, at);
                if (bytes == 0) {
                    return OptionalLong.of(from + at);
                }
                if (LogFile.isLastPart(block, at)) {
                    whole = from + at + bytes;
                }
                at = LogFile.place(at + bytes);
            }
        }
        return OptionalLong.empty();
    }

    /** Whether these bytes are behind the last whole record, and a good record begins behind them. */
    private boolean hasEndedSync(byte[] note) throws IOException {
        int matched = 0;
        for (long next = whole - whole % LogFile.BLOCK; next < used; next += LogFile.BLOCK) {
            load(next);
            for (int i = (int) Math.max(0, whole - next); i < usedHere(); i++) {
                matched = block[i] == note[matched] ? matched + 1 : block[i] == note[0] ? 1 : 0;
                if (matched == note.length) {
                    return anotherBegins(i + 1);
                }
            }
        }
        return false;
    }

    /** Decides about the bytes from this offset in the block on, which are no good part of a record. */
    private OptionalLong behind(int at) throws IOException {
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
