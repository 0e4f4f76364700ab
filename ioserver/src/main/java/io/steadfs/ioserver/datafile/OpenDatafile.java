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
 * A datafile that is being written: its durable row, and the changes since. Owned by its lane's thread.
 *
 * <p>Bytes are first appended to memory while they are few, and from then on to a file. Readers see them at once. The bytes become durable
 * in two steps, which the lane takes for many datafiles together: {@link #syncFile}, then {@link #putRows} in one commit. Until that commit
 * the row in the store has an older, shorter state. A crash goes back to that state, and so does a lane that drops this object after a
 * failure. Growing out of memory needs no step of its own: a file that the row does not mention is a leftover.
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

    /** The row in the store, or as it will be with the batch that is being made. */
    private DatafileRow row;

    private long length;
    private int lastChecksum;
    private long seenGeneration;
    private long sealedGeneration;

    /** The first chunk, which begins a group, whose settled checksum is in memory. Earlier checksums are in the store. */
    private long settledBase;

    private int[] settled;

    /** Keys of the store's groups that a truncate cut. They are deleted with the next rows. */
    private List<byte[]> cutGroups = List.of();

    private boolean inFile;
    /** The bytes while they are not in a file; empty afterwards. */
    private byte[] small;

    /** Held while the file has bytes that are not durable. */
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

    /** Makes the datafile of a first write, in this batch. */
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

    /** Opens a datafile of the store to continue it. */
    public static OpenDatafile load(Handle handle, DatafileRow row, ReadView view, OpenFiles files, int smallMostBytes)
            throws UnreadableDatafileException {
        byte[] small = row.inFile() ? NOTHING : DatafileRows.small(view, handle, row);
        OpenDatafile datafile = new OpenDatafile(handle, row, files, smallMostBytes, small);
        datafile.loadSettled(view, row.length());
        return datafile;
    }

    /** Opens a datafile of the store only to remove it. Its row suffices; its bytes may be unreadable. */
    public static OpenDatafile toRemove(Handle handle, DatafileRow row, OpenFiles files) {
        return new OpenDatafile(handle, row, files, 0, NOTHING);
    }

    /** Reads the last, unfinished group of settled chunks of a datafile of this length into memory. */
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

    /** The durable facts; in a batch not yet committed, those that it is going to make durable. */
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

    /** Gives it a row in this batch, if it had none. Only for an unattached one. */
    public void reserve(WriteView out) {
        DatafileRows.putRow(out, handle, row);
    }

    /** Attaches it to this metafile, as a first write says; in this batch. Only for an unattached one. */
    public void attach(Handle metafile, int index, long generation, long wallMillis, WriteView out) {
        row = row.attached(metafile, index, generation);
        DatafileRows.putAttached(out, handle, row, wallMillis);
    }

    /** Attaches it to this metafile, as the metafile's shard says; in this batch. Only for an unattached one. */
    public void attachConfirmed(Handle metafile, int index, WriteView out) {
        row = row.attached(metafile, index, 0);
        DatafileRows.putRow(out, handle, row);
    }

    /** Whether the store lacks some of its state. */
    public boolean isDirty() {
        return unsynced || !row.equals(rowNow());
    }

    /** Bytes of memory that grow with the datafile. */
    public long memoryBytes() {
        return small.length + (long) settled.length * Integer.BYTES;
    }

    /** Whether the bytes, durable or not, are in a file. */
    public boolean isInFile() {
        return inFile;
    }

    /** Whether this generation, or a later one, wrote: it made the datafile or appended to it. */
    public boolean hasWritten(long generation) {
        return seenGeneration >= generation;
    }

    /** Records that a generation, not below {@link #leastGeneration}, writes. */
    public void see(long generation) {
        seenGeneration = Math.max(seenGeneration, generation);
    }

    /** Refuses lower generations from now on; durable with the next rows. */
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

    /** Whether the stored bytes at the offset are those of the buffer; all must be below the length. */
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
     * Appends the buffer's readable bytes; its indexes stay.
     *
     * @param checksums of its pieces, cut at chunk boundaries
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

    /** Bytes below the length stay where they are, because views share the array. */
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
            // Part of the bytes may be in the file. On a full disk they waste space, and no row will ever mention
            // them.
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

    /** The row says that the bytes are small until they are durable in the file. */
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
     * Cuts the datafile. The file itself is cut by {@link #cutFile} once the rows are committed, because until then the store's row still
     * has its bytes. Nothing may be appended in between.
     *
     * @param newLength not above the length
     * @return false if the chunk that is cut does not match its checksum: nothing is done then
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

    /** First step to durability: syncs the bytes in the file. Harmless if there are none. */
    public boolean syncFile() throws IOException {
        if (!unsynced) {
            return false;
        }
        hold().file().sync();
        return true;
    }

    /** Whether the file was made since the last commit, so that its directory must be synced before the rows are put. */
    public boolean hasNewFile() {
        return inFile && !row.inFile();
    }

    /**
     * Second step, after {@link #syncFile}: puts the rows for the synced bytes, and adds the change of length to the sum. Both take effect
     * when the batch is committed.
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

    /** Forgets checksums that the store has. To be called when the batch is committed and a new view can be published. */
    public void forgetCommitted() {
        long chunks = DatafileRow.settledChunks(row.length());
        long base = chunks - chunks % DatafileTables.GROUP_CHUNKS;
        if (base > settledBase && !isDirty()) {
            settled = Arrays.copyOfRange(settled, (int) (base - settledBase), (int) (chunks - settledBase));
            settledBase = base;
        }
    }

    /** Cuts the file to the committed length. A crash before is harmless: the restart does it. */
    public void cutFile() throws IOException {
        if (inFile) {
            try (OpenFiles.Reference reference = files.take(handle)) {
                reference.file().truncate(length);
            }
        }
    }

    /** Takes all its rows out of the store. Once that is committed, {@link #deleteFile} deletes the file. */
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

    /** Deletes the file, if there is one. */
    public void deleteFile() throws IOException {
        close();
        if (inFile) {
            files.delete(handle);
        }
    }

    /**
     * Forgets everything that is not durable, as a crash would. After a failed sync the system may hold pages that it takes for written,
     * and it reports the failure only once. So the file is cut to the length in the row, and opened anew. Later appends are written again
     * from there, and no earlier page counts as durable.
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

    /** Deletes a file that no row mentions. If that fails, the next start does it. */
    private void deleteLeftover() {
        try {
            files.delete(handle);
        } catch (IOException e) {
            LOG.warn("datafile {}: a file without a row stays until the next start", handle, e);
        }
    }

    /** Releases the file, so that it may be closed. */
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
