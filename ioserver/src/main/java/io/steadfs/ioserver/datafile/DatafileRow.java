package io.steadfs.ioserver.datafile;

import io.steadfs.checksum.Chunks;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.layout.WriteGeneration;
import java.nio.ByteBuffer;

/**
 * What is durably known of a datafile.
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
 * @param metafile to which the datafile belongs, for ever; {@link Handle#NONE} while it is leased and no metafile is known to
 *     list it
 * @param index in the metafile's layout
 * @param madeGeneration write generation of the first write
 * @param seenGeneration highest write generation that wrote; it cuts no more
 * @param sealedGeneration of SEAL or TRUNCATE: writes of lower generations are refused; 0 = never sealed
 * @param inFile whether the bytes are in a file
 * @param length bytes on stable storage
 * @param lastChecksum CRC32C of the last chunk's bytes; 0 where there are none
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

    /** Longest datafile. */
    public static final long MOST_LENGTH = Striping.MOST_DATAFILE_BYTES;

    private static final byte VERSION = 1;
    private static final byte IN_FILE = 1;
    private static final int BYTES = 50;

    /** Of a datafile without bytes. */
    static DatafileRow made(Handle metafile, int index, long generation) {
        return new DatafileRow(metafile, index, generation, generation, 0, false, 0, 0);
    }

    /** Of a leased datafile: without bytes, for the metafile that names it first. */
    static DatafileRow leased() {
        return new DatafileRow(Handle.NONE, 0, 0, 0, 0, false, 0, 0);
    }

    /** Stands for one that cannot be read: whatever belongs to it goes with it. */
    public static DatafileRow unreadable() {
        return new DatafileRow(Handle.NONE, 0, 0, 0, 0, true, MOST_LENGTH, 0);
    }

    /** It belongs to this metafile from now on. */
    DatafileRow attached(Handle to, int column, long generation) {
        return new DatafileRow(to, column, generation, seenGeneration, sealedGeneration, inFile, length, lastChecksum);
    }

    /** Whether it is leased and no metafile is known to list it. */
    public boolean isUnattached() {
        return metafile.isNone();
    }

    /** Whether a metafile that says that it lists the datafile may be right. */
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

    /** Bytes that the datafile has, as a row in a scan says; 0 where it is none. */
    static long lengthOf(byte[] value) {
        try {
            return decode(Handle.NONE, value).length();
        } catch (UnreadableDatafileException e) {
            return 0;
        }
    }

    /** @throws UnreadableDatafileException if this is no row of a known version, or one of an impossible length */
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
                generation(in.getLong()),
                generation(in.getLong()),
                generation(in.getLong()),
                (flags & IN_FILE) != 0,
                in.getLong(),
                in.getInt());
        if (row.length < 0 || row.length > MOST_LENGTH) {
            throw new UnreadableDatafileException(
                    handle, "its row says that it has " + Long.toUnsignedString(row.length) + " bytes");
        }
        return row;
    }

    /** One that no shard gives out was made up, as earlier releases let anybody: it counts as none, and shuts nobody out. */
    private static long generation(long stored) {
        return WriteGeneration.isPossible(stored) ? stored : 0;
    }

    /** Chunks of so many bytes whose checksums are in groups: all but the last. */
    static long settledChunks(long lengthBytes) {
        return lengthBytes == 0 ? 0 : (lengthBytes - 1) / Chunks.CHUNK_BYTES;
    }

    /** Groups that hold the settled chunks of so many bytes. */
    static long groups(long lengthBytes) {
        return (settledChunks(lengthBytes) + DatafileTables.GROUP_CHUNKS - 1) / DatafileTables.GROUP_CHUNKS;
    }
}
