package io.steadfs.ioserver.datafile;

import io.steadfs.checksum.Chunks;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.layout.WriteGeneration;
import java.nio.ByteBuffer;

/**
 * The durable facts about a datafile.
 *
 * <pre>
 *  0        1       2          10      14         22         30         38        46       50
 * +---------+-------+----------+-------+----------+----------+----------+---------+--------+
 * | version | flags | metafile | index | made     | seen     | sealed   | length  | last   |
 * | 1       | 1     | 8        | 4     | 8        | 8        | 8        | 8       | crc 4  |
 * +---------+-------+----------+-------+----------+----------+----------+---------+--------+
 *   1         bit 0: the bytes are in a file, not in the table small
 * </pre>
 *
 * @param metafile the metafile that the datafile belongs to, forever; {@link Handle#NONE} while the datafile is leased
 *     and no metafile is known to list it
 * @param index position of the datafile in the metafile's layout, from 0
 * @param madeGeneration write generation of the first write
 * @param seenGeneration highest write generation that wrote; a truncate with this generation is refused
 * @param sealedGeneration write generation of the last SEAL or TRUNCATE; writes with lower generations are refused; 0 =
 *     never sealed
 * @param inFile whether the bytes are in a file
 * @param length bytes on stable storage
 * @param lastChecksum CRC32C of the last chunk's bytes; 0 if the datafile has no bytes
 */
public record DatafileRow(
        Handle metafile,
        int index,
        long madeGeneration,
        long seenGeneration,
        long sealedGeneration,
        boolean inFile,
        long length,
        int lastChecksum) {

    /** The greatest length that a datafile may have, in bytes. */
    public static final long MOST_LENGTH = Striping.MOST_DATAFILE_BYTES;

    private static final byte VERSION = 1;
    private static final byte IN_FILE = 1;
    private static final int BYTES = 50;

    /** The row of a new datafile without bytes. */
    static DatafileRow made(Handle metafile, int index, long generation) {
        return new DatafileRow(metafile, index, generation, generation, 0, false, 0, 0);
    }

    /** The row of a leased datafile that has no bytes and belongs to no metafile yet. */
    static DatafileRow leased() {
        return new DatafileRow(Handle.NONE, 0, 0, 0, 0, false, 0, 0);
    }

    /**
     * Stands for a row that cannot be read. The values of this row make a removal remove everything that may belong to
     * the datafile.
     */
    public static DatafileRow unreadable() {
        return new DatafileRow(Handle.NONE, 0, 0, 0, 0, true, MOST_LENGTH, 0);
    }

    /** The row after the datafile has been attached to the given metafile. */
    DatafileRow attached(Handle to, int column, long generation) {
        return new DatafileRow(to, column, generation, seenGeneration, sealedGeneration, inFile, length, lastChecksum);
    }

    /** Whether the datafile is leased and no metafile is known to list it. */
    public boolean isUnattached() {
        return metafile.isNone();
    }

    /** Whether the metafile may list the datafile. */
    public boolean mayBeOf(Handle asked) {
        return isUnattached() || metafile.equals(asked);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .put(inFile ? IN_FILE : 0)
                .putLong(metafile.value())
                .putInt(index)
                .putLong(madeGeneration)
                .putLong(seenGeneration)
                .putLong(sealedGeneration)
                .putLong(length)
                .putInt(lastChecksum)
                .array();
    }

    /** The length in an encoded row, for a scan; 0 if the bytes are not a valid row. */
    static long lengthOf(byte[] value) {
        try {
            return decode(Handle.NONE, value).length();
        } catch (UnreadableDatafileException e) {
            return 0;
        }
    }

    /**
     * @throws UnreadableDatafileException if the value is not a row of a known version, or has an impossible length or
     *     write generation
     */
    static DatafileRow decode(Handle handle, byte[] value) throws UnreadableDatafileException {
        ByteBuffer in = ByteBuffer.wrap(value);
        if (value.length != BYTES || in.get() != VERSION) {
            throw new UnreadableDatafileException(
                    handle,
                    "its row has " + value.length + " bytes and begins with " + (value.length > 0 ? value[0] : -1)
                            + ": not of version " + VERSION);
        }
        byte flags = in.get();
        DatafileRow row = new DatafileRow(
                new Handle(in.getLong()),
                in.getInt(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                (flags & IN_FILE) != 0,
                in.getLong(),
                in.getInt());
        if (row.length < 0 || row.length > MOST_LENGTH) {
            throw new UnreadableDatafileException(
                    handle, "its row says that it has " + Long.toUnsignedString(row.length) + " bytes");
        }
        checkGeneration(handle, row.madeGeneration);
        checkGeneration(handle, row.seenGeneration);
        checkGeneration(handle, row.sealedGeneration);
        return row;
    }

    private static void checkGeneration(Handle handle, long generation) throws UnreadableDatafileException {
        if (!WriteGeneration.isPossible(generation)) {
            throw new UnreadableDatafileException(
                    handle, "its row has write generation " + Long.toUnsignedString(generation));
        }
    }

    /**
     * The number of chunks whose checksums are in groups, for a datafile of this length. All chunks except the last
     * have their checksums in groups.
     */
    static long settledChunks(long lengthBytes) {
        return lengthBytes == 0 ? 0 : (lengthBytes - 1) / Chunks.CHUNK_BYTES;
    }

    /** The number of groups that hold the checksums of a datafile of this length. */
    static long groups(long lengthBytes) {
        return (settledChunks(lengthBytes) + DatafileTables.GROUP_CHUNKS - 1) / DatafileTables.GROUP_CHUNKS;
    }
}
