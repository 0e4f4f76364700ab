package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.call.Turns;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new file from its beginning, or an existing file from its end. The writer distributes the bytes to the
 * columns. A column sends a write request once the column has a full unit. An incomplete unit waits for a flush, so a
 * small file needs only one write request.
 *
 * <p>Thread-safe. The state changes only within a turn of {@link Turns}, by the thread that has the turn. The following
 * classes have parts of the state, and their methods must be called within the same turn:
 *
 * <ul>
 *   <li>{@link ColumnWriter} sends the {@link WriteUnit}s of one column, and handles the acknowledgements.
 *   <li>{@link WriteWindow} limits the bytes in memory to the window of {@link WriteOptions}, and lets callers wait for
 *       room.
 *   <li>{@link WriterMemory} takes memory for the units.
 *   <li>{@link Flushes} executes hflush, hsync and close.
 *   <li>{@link WriteFailure} keeps the first error. All later calls fail with the first error.
 * </ul>
 */
public final class StripedWriter {
    private final Turns turns = new Turns();
    private final Courier courier;
    private final SessionFile file;
    private final Striping striping;
    private final WriteOptions options;
    private final int unitBytes;
    private final List<ColumnWriter> columns = new ArrayList<>();
    private final WriteFailure failure;
    private final WriterMemory unitMemory;
    private final WriteWindow window;
    private final Flushes flushes;

    /** File offset of the next byte. Changes only within a turn, but any thread may read the offset. */
    private volatile long position;
    /** The future of the close; null before a close. */
    private volatile @Nullable CompletableFuture<Void> closing;

    /**
     * @param session session in which the file was created or opened for appending
     * @param info attributes and layout from the answer to the create or append; each existing datafile must be sealed
     *     and have the right length
     * @param whenOver called once, after the file was closed or the writing has failed
     */
    public StripedWriter(
            Courier courier,
            RecordedCalls recorded,
            Session session,
            Operation operation,
            FileInfo info,
            WriteOptions options,
            Consumer<StripedWriter> whenOver)
            throws FsException {
        this.courier = courier;
        this.file = new SessionFile(recorded, session, operation, info);
        this.options = options;
        Layout layout = info.layout()
                .orElseThrow(
                        () -> new FsException(FsError.FAULT, operation.subject() + " was created without a layout"));
        if (layout.replicas() != 1) {
            throw new FsException(
                    FsError.NOT_SUPPORTED,
                    operation.subject() + " has " + layout.replicas() + " copies; this client writes one");
        }
        this.striping = layout.striping();
        this.unitBytes = options.unitBytes(layout.width());
        this.position = info.length();
        Runnable over = () -> whenOver.accept(this);
        this.failure = new WriteFailure(file, turns, this::letGo, over);
        this.unitMemory = new WriterMemory(this, failure, courier, turns, unitBytes);
        this.window = new WriteWindow(options.windowBytes(), unitMemory, turns);
        this.flushes = new Flushes(file, courier, turns, failure, unitMemory, columns, over);
        for (int column = 0; column < layout.width(); column++) {
            Handle datafile = layout.datafiles().get(column);
            columns.add(
                    datafile.isNone()
                            ? new ColumnWriter(this, column, layout.servers().get(column))
                            : new ColumnWriter(this, column, datafile, striping.datafileLength(column, info.length())));
        }
    }

    Turns turns() {
        return turns;
    }

    Courier courier() {
        return courier;
    }

    Operation operation() {
        return file.operation();
    }

    Handle metafile() {
        return info().handle();
    }

    long writeGeneration() {
        return info().writeGeneration();
    }

    int unitBytes() {
        return unitBytes;
    }

    long fileOffset(int column, long datafileOffset) {
        return striping.fileOffset(column, datafileOffset);
    }

    /**
     * Whether this session opened the file empty, the file's shard has recorded nothing of the writing yet, and the
     * writer is open, or closes the file with bytes. Then the shard may know of this writer only by the session's claim.
     * A claim that arrives after a close with bytes has no effect. From any thread.
     */
    boolean isClaimedIn(Session session) {
        return file.session() == session
                && info().length() == 0
                && (closing == null || position > 0)
                && !flushes.anyRecorded();
    }

    boolean hasFailed() {
        return failure.hasBegun();
    }

    /** The attributes from the answer to the create or append. */
    public FileInfo info() {
        return file.info();
    }

    /** File offset of the next byte. */
    public long position() {
        return position;
    }

    /** The error that has ended the writing; empty if no error has ended the writing. */
    public Optional<FsException> failure() {
        return Optional.ofNullable(failure.error());
    }

    /**
     * Takes bytes while the writer has room. Never waits.
     *
     * @return number of bytes taken; if fewer than {@code length}, the caller must wait for {@link #room} before the
     *     next call
     * @throws FsException the error that ended the writing, or INVALID_ARGUMENT after close
     */
    public int append(byte[] bytes, int offset, int length) throws FsException {
        Object taken = turns.take(() -> {
            FsException refused = refusal();
            return refused != null ? refused : (Object) take(bytes, offset, length);
        });
        if (taken instanceof FsException refused) {
            throw refused;
        }
        return (Integer) taken;
    }

    private @Nullable FsException refusal() {
        FsException error = failure.error();
        if (error != null) {
            return error;
        }
        return closing == null
                ? null
                : new FsException(FsError.INVALID_ARGUMENT, "writer of " + file.subject() + " is closed");
    }

    private int take(byte[] bytes, int offset, int length) {
        int done = 0;
        while (done < length && !failure.isFinal()) {
            long room = window.room();
            if (room <= 0) {
                makeRoom();
                break;
            }
            long at = position;
            int step = (int) Math.min(room, Math.min(length - done, striping.leftInStrip(at)));
            int taken = columns.get(striping.column(at)).fill(bytes, offset + done, step);
            if (taken == 0) {
                unitMemory.await();
                break;
            }
            done += taken;
            position = at + taken;
            window.taken(taken);
        }
        if (memory().isShort()) {
            cutAll();
        }
        return done;
    }

    StreamMemory memory() {
        return courier.memory();
    }

    /** Takes memory for a new unit, like {@link WriterMemory#take}. */
    int takeMemory(int wanted) {
        return unitMemory.take(wanted);
    }

    /** Sends the present unit of every column, full or not. */
    void cutAll() {
        columns.forEach(ColumnWriter::cut);
    }

    /**
     * Makes room in a full window. Sends all full units. If no unit is in flight after that, sends the incomplete
     * units, too.
     */
    private void makeRoom() {
        columns.forEach(ColumnWriter::cutFull);
        if (columns.stream().noneMatch(ColumnWriter::isUnderWay)) {
            cutAll();
        }
    }

    /**
     * The future completes once {@link #append} has room again. If an error has ended the writing, the future fails
     * with that error.
     */
    public CompletableFuture<Void> room() {
        CompletableFuture<Void> room = new CompletableFuture<>();
        return turns.take(() -> {
            FsException error = failure.error();
            if (error != null) {
                room.completeExceptionally(error);
            } else if (window.hasRoom()) {
                room.complete(null);
            } else {
                window.await(room);
            }
            return room;
        });
    }

    /** As {@link FileWriter#hflush}. */
    public CompletableFuture<Void> hflush() {
        return flush(Flush.Mode.FLUSH);
    }

    /** As {@link FileWriter#hsync}. */
    public CompletableFuture<Void> hsync() {
        return flush(Flush.Mode.SYNC);
    }

    /** As {@link FileWriter#close}. A second call has the same outcome as the first call. */
    public CompletableFuture<Void> close() {
        return flush(Flush.Mode.CLOSE);
    }

    /**
     * Ends the writing, because the client closes and ends the session. The servers then recover the file in its
     * present state.
     */
    public void leave() {
        turns.take(() -> {
            failure.leave();
            return true;
        });
    }

    /** Gives the file up, because the caller that opened the file has left. */
    void nobodyWaits() {
        turns.take(() -> {
            if (!failure.isFinal()) {
                fail(FsError.CANCELLED, "given up: nobody waited for it to be opened");
            }
            return true;
        });
    }

    private CompletableFuture<Void> flush(Flush.Mode mode) {
        return turns.take(() -> {
            if (mode == Flush.Mode.CLOSE && closing != null) {
                return closing.copy();
            }
            FsException refused = refusal();
            if (refused != null) {
                return CompletableFuture.failedFuture(refused);
            }
            boolean sync = mode == Flush.Mode.SYNC || (mode == Flush.Mode.CLOSE && options.syncOnClose());
            Flush flush = flushes.begin(mode, position, sync);
            if (mode == Flush.Mode.CLOSE) {
                closing = flush.done;
            }
            return flush.done.copy();
        });
    }

    /** Must be called whenever the writer may have room again. */
    void roomAgain() {
        window.roomAgain();
    }

    /** Notes that a server has acknowledged bytes of a column. */
    void acknowledged(int bytes) {
        window.acknowledged(bytes);
        courier.counters().bytesWritten.add(bytes);
        roomAgain();
        flushes.advance();
    }

    /** Ends the writing with an error. The message says what happened, and at which place in the file. */
    void fail(FsError error, String message) {
        failure.fail(error, message);
    }

    /** Releases the memory of a failed writer, and returns the futures of all waiting callers. */
    private List<CompletableFuture<Void>> letGo() {
        columns.forEach(ColumnWriter::release);
        unitMemory.giveBackAll();
        List<CompletableFuture<Void>> all = window.leave();
        flushes.leave(all);
        return all;
    }

    /**
     * Gives up a file that the session writes, and reports why the writing failed. If the file's shard says that the
     * file no longer exists, the reported reason is the missing file. In all other cases, the reported reason is the
     * given failure.
     */
    public static void abandonAndTell(
            RecordedCalls recorded,
            Session session,
            Operation operation,
            FileInfo info,
            Throwable failure,
            Consumer<Throwable> whenKnown) {
        new SessionFile(recorded, session, operation, info).abandonAndTell(failure, whenKnown);
    }
}
