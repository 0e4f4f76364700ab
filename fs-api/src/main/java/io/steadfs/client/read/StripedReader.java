package io.steadfs.client.read;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.layout.Layout;
import io.steadfs.rpc.EarlyCall;
import io.steadfs.wire.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file at any position. A read is sequential if it begins at the end of the previous read. After a sequential
 * read, the reader also fetches bytes ahead. Each sequential read doubles the number of bytes ahead, up to the
 * readahead setting. A read that is not sequential fetches only the chunks that contain the requested bytes. The reader
 * keeps fetched bytes until a sequential reader has passed them. If the kept bytes exceed their bound, the reader drops
 * the least recently used span. A read of a whole unit or more does not add its bytes to the kept spans, so its bytes
 * are copied only once.
 *
 * <p>Thread-safe. The reader keeps at most the readahead setting plus two units, besides the bytes of reads under way.
 * The reader takes all memory for bytes from {@link StreamMemory}. If memory is short, the reader fetches nothing
 * ahead, keeps nothing, and may answer a read with fewer bytes than wanted. If memory runs short during a read, the
 * read returns the bytes that it has. If a read has no bytes yet, the read waits for the memory of a few chunks. So a
 * waiting read holds no memory.
 */
public final class StripedReader implements StreamMemory.Holder {
    /**
     * Largest number of units of one read in memory at the same time. A longer read continues after the bytes of these
     * units were copied to the target.
     */
    private static final int MOST_UNITS_AT_ONCE = 16;

    /** Number of bytes that the reader fetches ahead of the first sequential read. */
    private static final int FIRST_WINDOW_BYTES = 2 * Chunks.CHUNK_BYTES;

    /** Smallest number of bytes for which a read waits if memory is short. A small read touches at most two chunks. */
    private static final int LEAST_FETCH_BYTES = 2 * Chunks.CHUNK_BYTES;

    private final CheckedReads reads;
    private final FileInfo info;
    private final long length;
    private final ReadOptions options;
    private final Courier courier;
    private final Operation operation;
    private final Layout layout;
    private final OpenedFile opened;
    private final StreamMemory memory;

    private final Object lock = new Object();
    /**
     * Kept spans by the file offset of their first byte. Kept spans do not overlap. The lock guards this field and all
     * fields below.
     */
    private final TreeMap<Long, Span> kept = new TreeMap<>();

    private long keptBytes;
    private long expectedPosition;
    private long window;
    private long readNumber;
    /** Whether another stream needs the memory of kept spans that are still in use. */
    private boolean owes;

    public StripedReader(
            Courier courier, Operation operation, FileInfo info, Layout layout, long length, ReadOptions options) {
        this.courier = courier;
        this.operation = operation;
        this.layout = layout;
        this.opened = new OpenedFile(courier, operation, info);
        this.memory = courier.memory();
        this.reads = new CheckedReads(courier, operation, info, layout, length, options.unitBytes());
        this.info = info;
        this.length = length;
        this.options = options;
    }

    /**
     * Begins to fetch the whole file if the file has at most one chunk. Most programs read such a small file directly
     * after they open it. By an early fetch, the read request is on its way before the program asks for bytes.
     * The fetched bytes wait in the Java heap, because a program may never read or close the file. If this fetch fails,
     * a later read fetches the bytes again.
     */
    public void fetchIfSmall() {
        if (length > 0 && length <= Chunks.CHUNK_BYTES && options.readaheadBytes() > 0 && memory.tryTake(length)) {
            EarlyCall early = new EarlyCall(Kind.READ);
            synchronized (lock) {
                CompletableFuture<List<Piece>> inHeap = Futures.map(
                        early.send(() -> reads.fetch(0, length)),
                        pieces -> pieces.stream().map(Piece::inHeap).toList());
                var unused = keep(new Span(0, length, inHeap, early, () -> memory.giveBack(length)));
            }
        }
    }

    /** The attributes that the shard answered when the file was opened. */
    public FileInfo info() {
        return info;
    }

    /** Like the method {@link FileReader#length}. */
    public long length() {
        return length;
    }

    /** Like the method {@link FileReader#readAsync}. */
    public CompletableFuture<Integer> read(long position, ByteBuffer target) {
        if (position < 0) {
            return CompletableFuture.failedFuture(
                    new FsException(FsError.INVALID_ARGUMENT, operation.subject() + ": read at position " + position));
        }
        if (!target.hasRemaining()) {
            return CompletableFuture.completedFuture(0);
        }
        if (position >= length) {
            return CompletableFuture.completedFuture(-1);
        }
        int wanted = target.remaining();
        CompletableFuture<Integer> first = readOnce(position, target);
        return Futures.then(
                first,
                count -> count == wanted || position + count == length
                        ? CompletableFuture.completedFuture(count)
                        : Futures.map(read(position + count, target), more -> count + more));
    }

    private int mostBytesAtOnce() {
        return MOST_UNITS_AT_ONCE * options.unitBytes();
    }

    private CompletableFuture<Integer> readOnce(long position, ByteBuffer target) {
        Reading reading = begin(position, target.remaining());
        CompletableFuture<Integer> result = new CompletableFuture<>();
        var unused = reading.ready().whenComplete((done, failure) -> {
            try {
                if (failure != null) {
                    result.completeExceptionally(Futures.unwrap(failure));
                } else {
                    result.complete(reading.copyTo(target));
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            } finally {
                reading.release();
            }
        });
        return result;
    }

    /**
     * One read, which uses the spans that contain its bytes. If a span is CORRUPT, or an early fetch failed, the read
     * fetches once more. The second fetch asks for exactly the bytes of the read. The second fetch leaves out
     * neighbouring bytes, because a truncate may have removed neighbouring bytes or may be half done.
     */
    final class Reading {
        private final long position;
        private final int count;
        /** Until the reading is ready, the reader's lock guards this field and {@link #released}. */
        private List<Span> spans;

        private boolean released;

        private Reading(long position, int count, List<Span> spans) {
            this.position = position;
            this.count = count;
            this.spans = spans;
        }

        CompletableFuture<Void> ready() {
            return opened.telling(fetched());
        }

        private CompletableFuture<Void> fetched() {
            CompletableFuture<Void> ready = new CompletableFuture<>();
            var unused = CompletableFuture.allOf(
                            spans.stream().map(span -> span.pieces).toArray(CompletableFuture[]::new))
                    .whenComplete((done, failure) -> {
                        if (failure == null) {
                            ready.complete(null);
                        } else if (!(isCorrupt(failure) || isEarly()) || !repeat(ready)) {
                            ready.completeExceptionally(Futures.unwrap(failure));
                        }
                    });
            return ready;
        }

        private static boolean isCorrupt(Throwable failure) {
            return Futures.unwrap(failure) instanceof FsException refused && refused.error() == FsError.CORRUPT;
        }

        private boolean isEarly() {
            synchronized (lock) {
                return spans.stream().anyMatch(span -> span.early != null);
            }
        }

        private boolean repeat(CompletableFuture<Void> ready) {
            Span exact;
            synchronized (lock) {
                if (released) {
                    return false;
                }
                spans.forEach(Span::release);
                exact = whenThereIsMemory(position, position + count);
                spans = List.of(exact);
            }
            var unused = exact.pieces.whenComplete((pieces, failure) -> {
                if (failure == null) {
                    ready.complete(null);
                } else {
                    ready.completeExceptionally(Futures.unwrap(failure));
                }
            });
            return true;
        }

        /**
         * Copies the bytes to the buffer's position, and moves the position behind the bytes. May be called only after
         * {@link #ready} has completed.
         */
        int copyTo(ByteBuffer target) {
            ByteBuffer window = target.slice(target.position(), count);
            for (Span span : spans) {
                for (Piece piece : span.pieces.join()) {
                    piece.copyTo(position, position + count, window, position);
                }
            }
            target.position(target.position() + count);
            courier.counters().bytesRead.add(count);
            return count;
        }

        void release() {
            synchronized (lock) {
                released = true;
                spans.forEach(Span::release);
                if (owes || memory.isShort()) {
                    forgetIdle();
                }
            }
        }
    }

    /** Whether a read is short, and leaves no requests behind that fetch bytes ahead. */
    boolean isShort(long position, int wanted) {
        synchronized (lock) {
            boolean hasMore = length > Chunks.CHUNK_BYTES && readsAhead(position);
            return !hasMore && Math.min(wanted, length - position) <= Chunks.CHUNK_BYTES;
        }
    }

    private boolean readsAhead(long position) {
        return options.readaheadBytes() > 0 && position == expectedPosition;
    }

    /**
     * Begins to read at a position within the file. The reading may have fewer bytes than the caller wants, even before
     * the end of the file. The caller must release the reading once.
     */
    Reading begin(long position, int wanted) {
        int count = (int) Math.min(Math.min(wanted, mostBytesAtOnce()), length - position);
        long end = position + count;
        List<Span> spans = new ArrayList<>();
        synchronized (lock) {
            readNumber++;
            boolean sequential = position == expectedPosition;
            window = readsAhead(position)
                    ? Math.min(options.readaheadBytes(), Math.max(FIRST_WINDOW_BYTES, window * 2))
                    : 0;
            expectedPosition = end;
            for (long at = position; at < end; at = spans.get(spans.size() - 1).end) {
                Span next = covering(at, end, count >= options.unitBytes(), spans.isEmpty());
                if (next == null) {
                    end = at;
                    expectedPosition = end;
                    break;
                }
                spans.add(next);
            }
            end = Math.min(end, spans.get(spans.size() - 1).end);
            expectedPosition = end;
            count = (int) (end - position);
            if (sequential) {
                forget(kept.headMap(position).values().stream()
                        .filter(span -> span.end <= position)
                        .toList());
                fetchAhead(end);
            }
            shrink();
        }
        return new Reading(position, count, spans);
    }

    /**
     * Finds or fetches a span that contains the offset {@code at}, and counts the caller as a user. If memory is short,
     * the result is null.
     *
     * @param direct whether a new span is not kept
     * @param wait whether to wait for memory instead of returning null
     */
    private @Nullable Span covering(long at, long end, boolean direct, boolean wait) {
        Map.Entry<Long, Span> before = kept.floorEntry(at);
        if (before != null && before.getValue().end > at) {
            Span span = before.getValue();
            span.use();
            span.lastUse = readNumber;
            return span;
        }
        Long next = kept.higherKey(at);
        long most = next == null ? length : next;
        if (direct) {
            return fetch(at, Math.min(most, end), wait);
        }
        long from = Math.max(Chunks.floor(at), before == null ? 0 : before.getValue().end);
        long to = Math.min(most, Chunks.floor(end + Chunks.CHUNK_BYTES - 1));
        Span span = fetch(from, to, wait);
        if (span != null) {
            keep(span);
            span.use();
        }
        return span;
    }

    /**
     * Fetches a range from its beginning, as far as memory suffices. If there is no memory at all, the result is null.
     *
     * @param wait whether to wait for memory instead of returning null
     */
    private @Nullable Span fetch(long from, long to, boolean wait) {
        for (long end = to; ; end = Chunks.floor(from + (end - from) / 2)) {
            Span span = fetchNow(from, end);
            if (span != null) {
                return span;
            }
            if (end - from <= LEAST_FETCH_BYTES) {
                return wait ? whenThereIsMemory(from, end) : null;
            }
            if (Chunks.floor(from + (end - from) / 2) - from < LEAST_FETCH_BYTES) {
                return wait ? whenThereIsMemory(from, Chunks.floor(from) + LEAST_FETCH_BYTES) : null;
            }
        }
    }

    private @Nullable Span fetchNow(long from, long to) {
        long bytes = memoryFor(from, to);
        return memory.tryTake(bytes)
                ? new Span(from, to, compact(reads.fetch(from, to)), null, () -> memory.giveBack(bytes))
                : null;
    }

    private Span whenThereIsMemory(long from, long to) {
        long bytes = Math.min(memory.limit(), memoryFor(from, to));
        CompletableFuture<Void> taken = memory.take(bytes, courier);
        CompletableFuture<List<Piece>> fetched = Futures.then(taken, room -> compact(reads.fetch(from, to)));
        return new Span(from, to, fetched, null, () -> {
            // If the client was closed or the wait took too long, no memory was granted.
            if (!taken.cancel(false) && !taken.isCompletedExceptionally()) {
                memory.giveBack(bytes);
            }
        });
    }

    /**
     * Bytes of memory that a fetch of this range needs. Servers send whole chunks, so a fetch needs memory for whole
     * chunks.
     */
    private static long memoryFor(long from, long to) {
        return Chunks.floor(to + Chunks.CHUNK_BYTES - 1) - Chunks.floor(from);
    }

    private CompletableFuture<List<Piece>> compact(CompletableFuture<List<Piece>> fetched) {
        return Futures.map(
                fetched,
                pieces -> memory.isTight() ? pieces.stream().map(Piece::compact).toList() : pieces);
    }

    private Span keep(Span span) {
        span.lastUse = readNumber;
        kept.put(span.start, span);
        keptBytes += span.length();
        memory.keeps(this);
        var unused = span.pieces.exceptionally(failure -> {
            synchronized (lock) {
                if (kept.get(span.start) == span) {
                    forget(List.of(span));
                }
            }
            return List.of();
        });
        return span;
    }

    private void fetchAhead(long end) {
        long ahead = end;
        for (Map.Entry<Long, Span> next = kept.floorEntry(ahead);
                next != null && next.getValue().end > ahead;
                next = kept.floorEntry(ahead)) {
            ahead = next.getValue().end;
        }
        if (ahead - end >= (window + 1) / 2) {
            return;
        }
        long target = Math.min(length, Chunks.floor(end + window));
        int unit = options.unitBytes();
        while (ahead < target) {
            Long next = kept.ceilingKey(ahead);
            // A fetch ends at a multiple of the unit, so that the fetch touches as few strips as possible.
            long whole = Math.min(length, (ahead / unit + 1) * unit);
            long to = Math.min(target, whole);
            if ((next != null && next == ahead) || (to < whole && window >= 2L * unit)) {
                return;
            }
            Span span = fetchNow(ahead, next == null ? to : Math.min(to, next));
            if (span == null) {
                return;
            }
            ahead = keep(span).end;
        }
    }

    private void shrink() {
        long most = options.readaheadBytes() + 2L * options.unitBytes();
        while (keptBytes > most) {
            Span oldest = kept.firstEntry().getValue();
            for (Span span : kept.values()) {
                if (span.lastUse < oldest.lastUse) {
                    oldest = span;
                }
            }
            forget(List.of(oldest));
        }
    }

    private void forget(List<Span> spans) {
        for (Span span : spans) {
            kept.remove(span.start);
            keptBytes -= span.length();
            span.release();
        }
    }

    /** Like the method {@link FileReader#compositeCrc}. */
    public CompletableFuture<Integer> compositeCrc() {
        return opened.telling(new CompositeChecksum(courier, operation, info, layout, length, reads).compute());
    }

    /** Like the method {@link FileReader#unbuffer}. */
    public void unbuffer() {
        memory.keepsNothing(this);
        synchronized (lock) {
            if (memory.isShort()) {
                kept.values().forEach(Span::want);
            }
            forget(List.copyOf(kept.values()));
            window = 0;
        }
    }

    /**
     * Gives back the memory of all spans that no read uses, because other streams need memory. The readahead begins
     * small again.
     */
    @Override
    public void giveBack() {
        synchronized (lock) {
            forgetIdle();
            window = 0;
        }
    }

    private void forgetIdle() {
        List<Span> idle = kept.values().stream().filter(Span::isIdle).toList();
        idle.forEach(Span::want);
        forget(idle);
        owes = !kept.isEmpty();
    }
}
