package io.steadfs.ioserver.file;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.steadfs.disk.NoSpaceException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@link DataFiles} in memory that fail as a disk may: a {@link #crash} forgets what was not synced, or keeps any part
 * of it; writes, syncs and creations fail when asked to; stored bits flip.
 */
public final class FaultyDataFiles implements DataFiles {
    /** What may be made to fail. */
    public enum Step {
        CREATE,
        OPEN,
        WRITE,
        SYNC,
        SYNC_DIRECTORY,
        TRUNCATE,
        DELETE
    }

    /** An inode: what everybody sees, and what is on the platter. No array is changed once it is here. */
    private static final class Content {
        byte[] bytes = new byte[0];
        byte[] durable = new byte[0];
    }

    private Map<Handle, Content> files = new HashMap<>();
    private Map<Handle, Content> durableEntries = new HashMap<>();
    private final Map<Step, IOException> failures = new HashMap<>();
    private final Map<Step, Integer> after = new HashMap<>();
    private final Set<Step> seen = new HashSet<>();
    private long capacity = 1L << 40;
    private long used;
    private int openFiles;

    /** The step after so many further successful ones fails once. */
    public synchronized void failAfter(Step step, int successes, IOException failure) {
        failures.put(step, failure);
        after.put(step, successes);
    }

    public synchronized void failNoMore() {
        failures.clear();
        after.clear();
    }

    public static IOException noSpace() {
        return new NoSpaceException("no space left, as the test asked", new IOException("No space left on device"));
    }

    public static IOException broken() {
        return new IOException("Input/output error, as the test asked");
    }

    public synchronized void setCapacity(long bytes) {
        capacity = bytes;
    }

    /** Steps taken since the last call. */
    public synchronized Set<Step> takeSteps() {
        Set<Step> steps = new HashSet<>(seen);
        seen.clear();
        return steps;
    }

    public synchronized int openFiles() {
        return openFiles;
    }

    public synchronized Set<Handle> names() {
        return new HashSet<>(files.keySet());
    }

    public synchronized long size(Handle handle) {
        return Objects.requireNonNull(files.get(handle)).bytes.length;
    }

    /** Changes what is stored, behind everybody's back. */
    public synchronized void flipBit(Handle handle, long offset) {
        Content content = Objects.requireNonNull(files.get(handle));
        content.bytes = content.bytes.clone();
        content.bytes[(int) offset] ^= 4;
    }

    public synchronized void cutBehind(Handle handle, int length) {
        Content content = Objects.requireNonNull(files.get(handle));
        content.bytes = Arrays.copyOf(content.bytes, length);
        content.durable = Arrays.copyOf(content.durable, Math.min(length, content.durable.length));
    }

    public synchronized void loseBehind(Handle handle) {
        files.remove(handle);
        durableEntries.remove(handle);
    }

    /** Other files with the bytes that these have now, all of them synced. Neither sees what changes in the other. */
    public synchronized FaultyDataFiles copy() {
        FaultyDataFiles copy = new FaultyDataFiles();
        files.forEach((handle, content) -> {
            Content same = new Content();
            same.bytes = content.bytes;
            same.durable = content.bytes;
            copy.files.put(handle, same);
        });
        copy.durableEntries.putAll(copy.files);
        return copy;
    }

    /** The machine stops and starts: of what was not synced, a random part was kept. */
    public synchronized FaultyDataFiles crash(Random random) {
        FaultyDataFiles next = new FaultyDataFiles();
        Set<Handle> names = new HashSet<>(files.keySet());
        names.addAll(durableEntries.keySet());
        for (Handle handle : names) {
            Content content = random.nextBoolean() ? files.get(handle) : durableEntries.get(handle);
            if (content != null) {
                Content kept = new Content();
                kept.bytes = survivors(content, random);
                kept.durable = kept.bytes.clone();
                next.files.put(handle, kept);
                next.durableEntries.put(handle, kept);
            }
        }
        return next;
    }

    /** Pages that were written since the last sync are old or new, each for itself; so is the size. */
    private static byte[] survivors(Content content, Random random) {
        int page = 4096;
        int length = random.nextBoolean() ? content.bytes.length : content.durable.length;
        byte[] kept = new byte[length];
        for (int begin = 0; begin < length; begin += page) {
            byte[] from = random.nextBoolean() ? content.bytes : content.durable;
            int count = Math.min(page, length - begin);
            if (begin < from.length) {
                System.arraycopy(from, begin, kept, begin, Math.min(count, from.length - begin));
            }
        }
        // Bytes that nobody changed since the sync are what they were.
        for (int i = 0; i < Math.min(length, content.durable.length); i++) {
            if (i < content.bytes.length && content.bytes[i] == content.durable[i]) {
                kept[i] = content.durable[i];
            }
        }
        return kept;
    }

    private void step(Step step) throws IOException {
        seen.add(step);
        IOException failure = failures.get(step);
        if (failure != null) {
            int left = after.merge(step, -1, Integer::sum);
            if (left < 0) {
                failures.remove(step);
                after.remove(step);
                throw failure;
            }
        }
    }

    @Override
    public synchronized DataFile create(Handle handle) throws IOException {
        step(Step.CREATE);
        Content content = files.get(handle);
        if (content == null) {
            content = new Content();
            files.put(handle, content);
        }
        content.bytes = new byte[0];
        return new Opened(content);
    }

    @Override
    public synchronized DataFile open(Handle handle) throws IOException {
        step(Step.OPEN);
        Content content = files.get(handle);
        if (content == null) {
            throw new NoSuchFileException(locationOf(handle));
        }
        return new Opened(content);
    }

    @Override
    public synchronized void delete(Handle handle) throws IOException {
        step(Step.DELETE);
        files.remove(handle);
    }

    @Override
    public synchronized void syncDirectory(int directory) throws IOException {
        step(Step.SYNC_DIRECTORY);
        Map<Handle, Content> entries = new HashMap<>(durableEntries);
        entries.keySet().removeIf(handle -> directoryOf(handle) == directory);
        files.forEach((handle, content) -> {
            if (directoryOf(handle) == directory) {
                entries.put(handle, content);
            }
        });
        durableEntries = entries;
    }

    @Override
    public int directoryOf(Handle handle) {
        return (int) handle.sequence() % 4;
    }

    @Override
    public void visit(Visitor visitor) throws IOException {
        List<Map.Entry<Handle, Content>> all;
        synchronized (this) {
            all = new ArrayList<>(new TreeMap<>(files).entrySet());
        }
        for (Map.Entry<Handle, Content> each : all) {
            visitor.file(each.getKey(), each.getValue().bytes.length);
        }
    }

    @Override
    public String locationOf(Handle handle) {
        return "/faulty/" + handle;
    }

    @Override
    public synchronized long capacityBytes() {
        return capacity;
    }

    @Override
    public synchronized long freeBytes() {
        return capacity - used;
    }

    @Override
    public String place() {
        return "faulty";
    }

    @Override
    public void close() {}

    private final class Opened implements DataFile {
        private @Nullable Content content;

        Opened(Content content) {
            this.content = content;
            openFiles++;
        }

        private Content content() throws IOException {
            if (content == null) {
                throw new IOException("the file is closed");
            }
            return content;
        }

        @Override
        public long sizeBytes() throws IOException {
            synchronized (FaultyDataFiles.this) {
                return content().bytes.length;
            }
        }

        @Override
        public void read(ByteBuffer target, long offset) throws IOException {
            synchronized (FaultyDataFiles.this) {
                byte[] bytes = content().bytes;
                if (offset + target.remaining() > bytes.length) {
                    throw new EOFException("the file ends at " + bytes.length);
                }
                target.put(bytes, (int) offset, target.remaining());
            }
        }

        @Override
        public void write(ByteBuf source, long offset) throws IOException {
            synchronized (FaultyDataFiles.this) {
                Content file = content();
                int count = source.readableBytes();
                try {
                    step(Step.WRITE);
                } catch (IOException e) {
                    // A torn write: half of it arrived.
                    put(file, source, offset, count / 2);
                    throw e;
                }
                put(file, source, offset, count);
            }
        }

        private void put(Content file, ByteBuf source, long offset, int count) {
            int end = (int) offset + count;
            byte[] bytes = Arrays.copyOf(file.bytes, Math.max(end, file.bytes.length));
            source.getBytes(source.readerIndex(), bytes, (int) offset, count);
            file.bytes = bytes;
            used += count;
        }

        @Override
        public void sync() throws IOException {
            synchronized (FaultyDataFiles.this) {
                Content file = content();
                step(Step.SYNC);
                file.durable = file.bytes;
            }
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            synchronized (FaultyDataFiles.this) {
                Content file = content();
                step(Step.TRUNCATE);
                file.bytes = Arrays.copyOf(file.bytes, (int) Math.min(sizeBytes, file.bytes.length));
            }
        }

        @Override
        public Payload region(long offset, long count, Runnable whenReleased) throws IOException {
            byte[] copy = new byte[(int) count];
            read(ByteBuffer.wrap(copy), offset);
            whenReleased.run();
            return new Payload.Bytes(Unpooled.wrappedBuffer(copy));
        }

        @Override
        public void close() throws IOException {
            synchronized (FaultyDataFiles.this) {
                content();
                content = null;
                openFiles--;
            }
        }
    }
}
