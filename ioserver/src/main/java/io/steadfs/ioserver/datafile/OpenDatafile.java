package io.steadfs.ioserver.datafile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.steadfs.checksum.Chunks;
import io.steadfs.checksum.Crc32cCombine;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A datafile that is being written: its durable row and the changes since then. Owned by its lane's thread.
 *
 * <p>Bytes are appended to memory at first. A datafile that grows beyond {@code smallMostBytes} moves to a file.
 * Readers see appended bytes at once. The bytes become durable in two steps: {@link #syncFile}, then {@link #putRows}
 * in one commit. The lane takes each step for many datafiles together. Until the commit, the row in the store has the
 * older, shorter state. A crash goes back to the state in the store, and so does a lane that drops this object after a
 * failure. The move to a file needs no commit of its own, because a file that no row mentions is a leftover.
 *
 * <p>A method that throws leaves the datafile as it was before.
 */
public final class OpenDatafile {
    private static final Logger LOG = LoggerFactory.getLogger(OpenDatafile.class);
    private static final byte[] NOTHING = new byte[0];
    private static final int[] NO_CHECKSUMS = new int[0];
    private static final int COMPARE_BYTES = Chunks.CHUNK_BYTES;

    private final Handle handle;
    private final OpenFiles files;
    private final int smallMostBytes;

    /** The row in the store. During a batch, the row that the batch will commit. */
    private DatafileRow row;

    private long length;
    private int lastChecksum;
    private long seenGeneration;
    private long sealedGeneration;

    /**
     * The first chunk whose settled checksum is in memory. A group begins with this chunk. The checksums of earlier
     * chunks are in the store.
     */
    private long settledBase;

    private int[] settled;

    /** Keys of the groups in the store that a truncate cut off. The next {@link #putRows} deletes these groups. */
    private List<byte[]> cutGroups = List.of();

    private boolean inFile;
    /** The bytes of a datafile that is not in a file; else empty. */
    private byte[] small;

    /** A reference to the file, held while the file has bytes that are not durable. */
    private Optional<OpenFiles.Reference> file = Optional.empty();

    /** Whether the file has bytes that are not durable. */
    private boolean unsynced;

    private OpenDatafile(Handle handle, DatafileRow row, OpenFiles files, int smallMostBytes, byte[] small) {
        this.handle = handle;
        this.files = files;
        this.smallMostBytes = smallMostBytes;
        this.row = row;
        this.length = row.length();
        this.lastChecksum = row.lastChecksum();
        this.seenGeneration = row.seenGeneration();
        this.sealedGeneration = row.sealedGeneration();
        this.inFile = row.inFile();
        this.small = small;
        this.settled = NO_CHECKSUMS;
    }

    /** Makes the datafile of a first write and puts its rows into the batch. */
    public static OpenDatafile make(
            Handle handle,
            Handle metafile,
            int index,
            long generation,
            long wallMillis,
            WriteView out,
            OpenFiles files,
            int smallMostBytes) {
        DatafileRow row = DatafileRow.made(metafile, index, generation);
        DatafileRows.putMade(out, handle, row, wallMillis);
        return new OpenDatafile(handle, row, files, smallMostBytes, NOTHING);
    }

    /** Opens a datafile of the store in order to append to it. */
    public static OpenDatafile load(Handle handle, DatafileRow row, ReadView view, OpenFiles files, int smallMostBytes)
            throws UnreadableDatafileException {
        byte[] small = row.inFile() ? NOTHING : DatafileRows.small(view, handle, row);
        OpenDatafile datafile = new OpenDatafile(handle, row, files, smallMostBytes, small);
        datafile.loadSettled(view, row.length());
        return datafile;
    }

    /**
     * Opens a datafile of the store only to remove it. The removal needs only the datafile's row, so the bytes may be
     * unreadable.
     */
    public static OpenDatafile toRemove(Handle handle, DatafileRow row, OpenFiles files) {
        return new OpenDatafile(handle, row, files, 0, NOTHING);
    }

    /**
     * Reads the checksums of the last, unfinished group of settled chunks into memory, for a datafile of this length.
     */
    private void loadSettled(ReadView view, long lengthBytes) throws UnreadableDatafileException {
        long chunks = DatafileRow.settledChunks(lengthBytes);
        long base = chunks - chunks % DatafileTables.GROUP_CHUNKS;
        int begun = (int) (chunks - base);
        int[] group = begun == 0 ? NO_CHECKSUMS : DatafileRows.group(view, handle, base / DatafileTables.GROUP_CHUNKS);
        if (group.length < begun) {
            throw new UnreadableDatafileException(
                    handle, "the checksum of chunk " + (base + group.length) + " is missing");
        }
        settledBase = base;
        settled = Arrays.copyOf(group, begun);
    }

    public Handle handle() {
        return handle;
    }

    /** The row in the store. During a batch, the row that the batch will commit. */
    public DatafileRow row() {
        return row;
    }

    public long length() {
        return length;
    }

    /** The lowest write generation that may still write. */
    public long leastGeneration() {
        return Math.max(seenGeneration, sealedGeneration);
    }

    /** Puts the row of an unattached datafile into the batch, because the datafile may have no row yet. */
    public void reserve(WriteView out) {
        DatafileRows.putRow(out, handle, row);
    }

    /** Attaches an unattached datafile to the metafile that a first write names, in this batch. */
    public void attach(Handle metafile, int index, long generation, long wallMillis, WriteView out) {
        row = row.attached(metafile, index, generation);
        DatafileRows.putAttached(out, handle, row, wallMillis);
    }

    /**
     * Attaches an unattached datafile to the metafile that, according to the metafile's shard, lists it. The change is
     * part of this batch.
     */
    public void attachConfirmed(Handle metafile, int index, WriteView out) {
        row = row.attached(metafile, index, 0);
        DatafileRows.putRow(out, handle, row);
    }

    /** Whether some state of the datafile is not in the store. */
    public boolean isDirty() {
        return unsynced || !row.equals(rowNow());
    }

    /** The memory that grows with the datafile, in bytes. */
    public long memoryBytes() {
        return small.length + (long) settled.length * Integer.BYTES;
    }

    /** Whether the bytes are in a file. The file need not be durable. */
    public boolean isInFile() {
        return inFile;
    }

    /**
     * Whether the given generation or a later one has written. Making the datafile counts as writing, and so does an
     * append.
     */
    public boolean hasWritten(long generation) {
        return seenGeneration >= generation;
    }

    /** Notes that a generation writes. The generation must not be below {@link #leastGeneration}. */
    public void see(long generation) {
        seenGeneration = Math.max(seenGeneration, generation);
    }

    /** Refuses writes with lower generations from now on. The seal is durable with the next rows. */
    public void seal(long generation) {
        sealedGeneration = Math.max(sealedGeneration, generation);
    }

    public DatafileView view() {
        return new DatafileView(
                handle,
                row,
                length,
                lastChecksum,
                settledBase,
                settled,
                inFile ? Optional.empty() : Optional.of(small));
    }

    /**
     * Whether the stored bytes at the offset equal the readable bytes of the buffer. The compared range must end at or
     * below the length.
     */
    public boolean matches(ByteBuf bytes, long offset) throws IOException {
        if (!inFile) {
            ByteBuf here = Unpooled.wrappedBuffer(small, (int) offset, bytes.readableBytes());
            return bytes.equals(here);
        }
        try (OpenFiles.Reference reference = files.take(handle)) {
            ByteBuffer here = ByteBuffer.allocate(Math.min(COMPARE_BYTES, bytes.readableBytes()));
            for (int done = 0; done < bytes.readableBytes(); done += here.limit()) {
                here.clear().limit(Math.min(here.capacity(), bytes.readableBytes() - done));
                reference.file().read(here, offset + done);
                here.flip();
                if (!Unpooled.wrappedBuffer(here).equals(bytes.slice(bytes.readerIndex() + done, here.limit()))) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Appends the buffer's readable bytes. The buffer's indexes do not change.
     *
     * @param checksums CRC32C of each piece of the bytes, cut at chunk boundaries
     */
    public void append(ByteBuf bytes, int[] checksums) throws IOException {
        int count = bytes.readableBytes();
        if (count == 0) {
            return;
        }
        if (!inFile && length + count <= smallMostBytes) {
            appendSmall(bytes, count);
        } else {
            appendToFile(bytes);
        }
        appendChecksums(checksums, count);
        length += count;
    }

    /** Appends to the bytes in memory. Bytes below the length keep their places, because views share the array. */
    private void appendSmall(ByteBuf bytes, int count) {
        int needed = (int) length + count;
        if (needed > small.length) {
            small = Arrays.copyOf(small, Math.min(smallMostBytes, Math.max(needed, 2 * small.length)));
        }
        bytes.getBytes(bytes.readerIndex(), small, (int) length, count);
    }

    private void appendToFile(ByteBuf bytes) throws IOException {
        if (!inFile) {
            moveToFile(bytes);
            return;
        }
        OpenFiles.Reference reference = hold();
        try {
            reference.file().write(bytes, length);
            unsynced = true;
        } catch (IOException e) {
            // Some of the bytes may be in the file. No row will ever mention these bytes, and on a full disk they waste
            // space.
            cut(reference, length);
            releaseIfDurable();
            throw e;
        }
    }

    private void cut(OpenFiles.Reference reference, long sizeBytes) {
        try {
            reference.file().truncate(sizeBytes);
        } catch (IOException e) {
            LOG.warn("datafile {}: bytes beyond {} stay in its file until they are overwritten", handle, sizeBytes, e);
        }
    }

    /** Moves the bytes to a new file. The row says that the bytes are small until they are durable in the file. */
    private void moveToFile(ByteBuf bytes) throws IOException {
        OpenFiles.Reference reference = files.create(handle);
        try {
            reference.file().write(Unpooled.wrappedBuffer(small, 0, (int) length), 0);
            reference.file().write(bytes, length);
        } catch (IOException e) {
            reference.close();
            deleteLeftover();
            throw e;
        }
        file = Optional.of(reference);
        inFile = true;
        small = NOTHING;
        unsynced = true;
    }

    private void appendChecksums(int[] checksums, int count) {
        long position = length;
        long end = length + count;
        int room = (int) (DatafileRow.settledChunks(end) - settledBase);
        if (room > settled.length) {
            settled = Arrays.copyOf(settled, Math.max(room, Math.min(2 * settled.length, room + (1 << 14))));
        }
        for (int checksum : checksums) {
            int piece = Pieces.firstLength(position, end - position);
            if (position % Chunks.CHUNK_BYTES != 0) {
                lastChecksum = Crc32cCombine.combine(lastChecksum, checksum, piece);
            } else {
                if (position > 0) {
                    settled[(int) (Chunks.chunkOf(position) - 1 - settledBase)] = lastChecksum;
                }
                lastChecksum = checksum;
            }
            position += piece;
        }
        if (position != end) {
            throw new IllegalStateException("datafile " + handle + ": checksums cover " + (position - length) + " of "
                    + count + " bytes appended at " + length);
        }
    }

    /**
     * Cuts the datafile in memory. The file must be cut later by {@link #cutFile}, after the commit of the rows. Until
     * the commit, the store's row still counts the cut bytes. Nothing may be appended between this call and {@link
     * #cutFile}.
     *
     * @param newLength new length in bytes, not above the length
     * @return false if the chunk that would be cut does not match its checksum, so that nothing was changed
     */
    public boolean truncate(long newLength, ReadView committed) throws IOException {
        List<byte[]> cut = DatafileRows.groupsFrom(
                committed, handle, row.length(), DatafileRow.groups(newLength), this::fileBytes);
        int newLast = 0;
        if (newLength > 0) {
            long chunk = Chunks.chunkOf(newLength - 1);
            long start = Chunks.floor(newLength - 1);
            int had = (int) Math.min(Chunks.CHUNK_BYTES, length - start);
            int stored = view().checksums(chunk, 1, committed)[0];
            ByteBuf bytes = Unpooled.wrappedBuffer(readBytes(start, had));
            if (Pieces.checksum(bytes, 0, had) != stored) {
                return false;
            }
            newLast = Pieces.checksum(bytes, 0, (int) (newLength - start));
        }
        long chunks = DatafileRow.settledChunks(newLength);
        if (chunks < settledBase) {
            loadSettled(committed, newLength);
        } else {
            settled = Arrays.copyOf(settled, (int) (chunks - settledBase));
        }
        if (!inFile) {
            small = Arrays.copyOf(small, (int) newLength);
        }
        cutGroups = cut;
        lastChecksum = newLast;
        length = newLength;
        return true;
    }

    private byte[] readBytes(long offset, int count) throws IOException {
        if (!inFile) {
            return Arrays.copyOfRange(small, (int) offset, (int) offset + count);
        }
        byte[] bytes = new byte[count];
        try (OpenFiles.Reference reference = files.take(handle)) {
            reference.file().read(ByteBuffer.wrap(bytes), offset);
        }
        return bytes;
    }

    /** First step to durability: syncs the bytes in the file. Returns false if all bytes are durable already. */
    public boolean syncFile() throws IOException {
        if (!unsynced) {
            return false;
        }
        hold().file().sync();
        return true;
    }

    /**
     * Whether the file was made since the last commit, so that its directory must be synced before the rows are put.
     */
    public boolean hasNewFile() {
        return inFile && !row.inFile();
    }

    /**
     * Second step to durability, after {@link #syncFile}. Puts the rows for the synced bytes, and adds the change of
     * length to {@code stored}. The rows and the change of the sum take effect with the commit of the batch.
     */
    public void putRows(WriteView out, StoredBytes.Change stored) {
        DatafileRow now = rowNow();
        if (now.equals(row)) {
            unsynced = false;
            releaseIfDurable();
            return;
        }
        cutGroups.forEach(group -> out.delete(DatafileTables.CHUNKS, group));
        cutGroups = List.of();
        putGroups(out, now.length());
        byte[] key = DatafileTables.key(handle);
        if (now.inFile() && !row.inFile()) {
            out.delete(DatafileTables.SMALL, key);
        } else if (!now.inFile() && (now.length() != row.length() || now.lastChecksum() != row.lastChecksum())) {
            out.put(DatafileTables.SMALL, key, Arrays.copyOf(small, (int) length));
        }
        DatafileRows.putRow(out, handle, now);
        stored.add(now.length() - row.length());
        row = now;
        unsynced = false;
        releaseIfDurable();
    }

    private DatafileRow rowNow() {
        return new DatafileRow(
                row.metafile(),
                row.index(),
                row.madeGeneration(),
                seenGeneration,
                sealedGeneration,
                inFile,
                length,
                lastChecksum);
    }

    private void putGroups(WriteView out, long newLength) {
        long chunks = DatafileRow.settledChunks(newLength);
        long before = DatafileRow.settledChunks(row.length());
        if (chunks != before) {
            for (long group = settledBase / DatafileTables.GROUP_CHUNKS;
                    group < DatafileRow.groups(newLength);
                    group++) {
                int from = (int) (group * DatafileTables.GROUP_CHUNKS - settledBase);
                int count = (int) Math.min(DatafileTables.GROUP_CHUNKS, chunks - settledBase - from);
                DatafileRows.putGroup(out, handle, group, settled, from, count);
            }
        }
    }

    /**
     * Forgets checksums that the store has. Must be called only after the batch is committed, when a new view can be
     * published.
     */
    public void forgetCommitted() {
        long chunks = DatafileRow.settledChunks(row.length());
        long base = chunks - chunks % DatafileTables.GROUP_CHUNKS;
        if (base > settledBase && !isDirty()) {
            settled = Arrays.copyOfRange(settled, (int) (base - settledBase), (int) (chunks - settledBase));
            settledBase = base;
        }
    }

    /** Cuts the file to the committed length. If a crash prevents the cut, the next start cuts the file. */
    public void cutFile() throws IOException {
        if (inFile) {
            try (OpenFiles.Reference reference = files.take(handle)) {
                reference.file().truncate(length);
            }
        }
    }

    /** Removes all rows of the datafile from the store. After the commit, {@link #deleteFile} deletes the file. */
    public void remove(ReadView view, WriteView out, StoredBytes.Change stored) throws UnreadableDatafileException {
        DatafileRows.remove(view, out, handle, row, this::fileBytes);
        if (row.equals(DatafileRow.unreadable())) {
            stored.addUnknown();
        } else {
            stored.add(-row.length());
        }
    }

    private long fileBytes() throws IOException {
        try (OpenFiles.Reference reference = files.take(handle)) {
            return reference.file().sizeBytes();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** Deletes the file if there is one. */
    public void deleteFile() throws IOException {
        close();
        if (inFile) {
            files.delete(handle);
        }
    }

    /**
     * Forgets everything that is not durable, as a crash would. After a failed sync, the operating system may hold
     * pages that it wrongly treats as written. The operating system reports the failure only once. So the file is cut
     * to the length in the row and opened anew. Later appends write the bytes again, and no page that was written
     * before the failure counts as durable.
     */
    public void abandon() {
        close();
        if (hasNewFile()) {
            deleteLeftover();
        } else if (row.inFile()) {
            files.openAnew(handle);
            try (OpenFiles.Reference reference = files.take(handle)) {
                cut(reference, row.length());
            } catch (IOException e) {
                LOG.warn("datafile {}: its file cannot be opened anew", handle, e);
            }
        }
    }

    /** Deletes a file that no row mentions. If the deletion fails, the next start deletes the file. */
    private void deleteLeftover() {
        try {
            files.delete(handle);
        } catch (IOException e) {
            LOG.warn("datafile {}: a file without a row stays until the next start", handle, e);
        }
    }

    /** Releases the reference to the file, so that the file may be closed. */
    public void close() {
        file.ifPresent(OpenFiles.Reference::close);
        file = Optional.empty();
    }

    private OpenFiles.Reference hold() throws IOException {
        if (file.isEmpty()) {
            file = Optional.of(files.take(handle));
        }
        return file.get();
    }

    private void releaseIfDurable() {
        if (!unsynced) {
            close();
        }
    }
}
