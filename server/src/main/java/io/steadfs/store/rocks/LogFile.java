package io.steadfs.store.rocks;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Reads and writes files in RocksDB's log format, which RocksDB's source describes (db/log_format.h). The MANIFEST and
 * the write-ahead logs have this format. Numbers are little-endian. A record is in one block of 32 KiB, or has parts in
 * several blocks.
 *
 * <pre>
 * +----------+----------+--------+---------+      type 1 = whole, 2, 3, 4 = first, middle and last part
 * | crc32c 4 | length 2 | type 1 | payload |      crc: masked, of type and payload
 * +----------+----------+--------+---------+
 * </pre>
 */
final class LogFile {
    static final int BLOCK = 32 << 10;
    static final int HEADER = 7;
    private static final byte WHOLE = 1;
    private static final byte FIRST = 2;
    private static final byte MIDDLE = 3;
    private static final byte LAST = 4;
    private static final int MASK = 0xa282ead8;

    private final byte[] file;
    private final Consumer<byte[]> taker;
    private final List<String> damage = new ArrayList<>();
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private boolean inParts;

    private LogFile(byte[] file, Consumer<byte[]> taker) {
        this.file = file;
        this.taker = taker;
    }

    /**
     * Reads all complete records. Returns a description of each damaged or incomplete place; empty if there is no such
     * place.
     *
     * @param taker receives each complete record
     */
    static List<String> read(byte[] file, Consumer<byte[]> taker) {
        return new LogFile(file, taker).read();
    }

    private List<String> read() {
        int at = 0;
        while (at < file.length) {
            at = place(one(at, left(file, at)));
        }
        if (inParts) {
            damage.add("at its end the last record is not whole");
        }
        return damage;
    }

    /** Reads the part of a record that begins at this offset. Returns the offset of the next part. */
    private int one(int at, int left) {
        if (left < HEADER) {
            return bad(at, file.length, "the last record is not whole");
        }
        int length = length(file, at);
        if (length + HEADER > left) {
            boolean isTorn = at + left == file.length;
            return bad(
                    at,
                    at + left,
                    isTorn ? "the last record is not whole" : "a record of " + length + " bytes does not fit");
        }
        if (partAt(file, at) == 0) {
            return bad(at, at + left, "a record is not what was written");
        }
        take(at, file[at + HEADER - 1], length);
        return at + HEADER + length;
    }

    private int bad(int at, int next, String why) {
        damage.add("at byte " + at + " " + why);
        inParts = false;
        return next;
    }

    private void take(int at, int type, int length) {
        boolean begins = type == WHOLE || type == FIRST;
        boolean goesOn = type == MIDDLE || type == LAST;
        if (begins == inParts && (begins || goesOn)) {
            damage.add("at byte " + at + " parts of records do not follow each other");
        }
        if (begins) {
            parts.reset();
        } else if (!goesOn || !inParts) {
            // The record is about the log itself, or it is the rest of a record whose beginning is damaged.
            return;
        }
        parts.write(file, at + HEADER, length);
        inParts = type == FIRST || type == MIDDLE;
        if (!inParts) {
            taker.accept(parts.toByteArray());
        }
    }

    /** Returns where the next part of a record begins, at this offset or behind the rest of its block. */
    static int place(int at) {
        int left = BLOCK - at % BLOCK;
        return left < HEADER ? at + left : at;
    }

    /** Returns the bytes of the good part of a record at this offset, with its header; 0 = there is none. */
    static int partAt(byte[] file, int at) {
        int left = left(file, at);
        if (left < HEADER || file[at + HEADER - 1] == 0) {
            return 0;
        }
        int length = length(file, at);
        return length + HEADER <= left && toldCrc(file, at) == crc(file, at + HEADER - 1, length + 1)
                ? length + HEADER
                : 0;
    }

    /** Whether the part at this offset would be good if its header told another length. */
    static boolean isPartOfAnyLength(byte[] file, int at) {
        int end = at + left(file, at);
        if (end - at < HEADER) {
            return false;
        }
        int told = toldCrc(file, at);
        CRC32C crc = new CRC32C();
        for (int i = at + HEADER - 1; i < end; i++) {
            crc.update(file[i]);
            if (masked(crc) == told) {
                return true;
            }
        }
        return false;
    }

    /** Returns the end of the part at this offset as its header tells it, in its block. */
    static int claimedEnd(byte[] file, int at) {
        int left = left(file, at);
        return at + (left < HEADER ? left : Math.min(left, HEADER + length(file, at)));
    }

    /** The bytes from this offset to the end of its block, or of the file. */
    private static int left(byte[] file, int at) {
        return Math.min(BLOCK - at % BLOCK, file.length - at);
    }

    /** The checksum that the header at this offset tells. */
    private static int toldCrc(byte[] file, int at) {
        return header(file, at).getInt(at);
    }

    /** The bytes of the payload that the header at this offset tells. */
    private static int length(byte[] file, int at) {
        return Short.toUnsignedInt(header(file, at).getShort(at + Integer.BYTES));
    }

    private static ByteBuffer header(byte[] file, int at) {
        return ByteBuffer.wrap(file, at, HEADER).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether the part at this offset says that it is the first of a record. */
    static boolean isFirstPart(byte[] file, int at) {
        return at + HEADER <= file.length && (file[at + HEADER - 1] == WHOLE || file[at + HEADER - 1] == FIRST);
    }

    /** Whether the part at this offset says that it is the last of a record. */
    static boolean isLastPart(byte[] file, int at) {
        return file[at + HEADER - 1] != FIRST && file[at + HEADER - 1] != MIDDLE;
    }

    /** The bytes to append to a file of this length, so that the file has one more record. */
    static byte[] appended(long fileBytes, byte[] record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int from = 0;
        boolean first = true;
        do {
            int left = BLOCK - (int) ((fileBytes + out.size()) % BLOCK);
            if (left < HEADER) {
                out.writeBytes(new byte[left]);
                left = BLOCK;
            }
            int count = Math.min(record.length - from, left - HEADER);
            boolean last = from + count == record.length;
            byte[] part = new byte[1 + count];
            part[0] = type(first, last);
            System.arraycopy(record, from, part, 1, count);
            out.writeBytes(ByteBuffer.allocate(HEADER - 1)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(crc(part, 0, part.length))
                    .putShort((short) count)
                    .array());
            out.writeBytes(part);
            from += count;
            first = false;
        } while (from < record.length);
        return out.toByteArray();
    }

    private static byte type(boolean first, boolean last) {
        if (first) {
            return last ? WHOLE : FIRST;
        }
        return last ? LAST : MIDDLE;
    }

    private static int crc(byte[] bytes, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, count);
        return masked(crc);
    }

    private static int masked(CRC32C crc) {
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
    }
}
