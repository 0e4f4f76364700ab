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
 * Writes a new file from its beginning, or an old one from its end. Bytes are dealt to the columns as they are taken. A column sends a
 * request when it has a full unit. The rest waits for a flush, so that a small file is one request.
 *
 * <p>Thread-safe: all state is changed within a turn of {@link Turns}, by whichever thread has the turn. The classes that have parts of the state are called within the same turn:
 *
 * <ul>
 * <li>{@link ColumnWriter}: one column, with its {@link WriteUnit}s and their acknowledgements.
 * <li>{@link WriteWindow}: the bound of {@link WriteOptions} on bytes in memory, and those who wait for room.
 * <li>{@link WriterMemory}: the memory of the units.
 * <li>{@link Flushes}: hflush, hsync and close.
 * <li>{@link WriteFailure}: the first error, with which all later calls fail.
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

    /** Written within the turn. Any thread may read it. */
    private volatile long position;
    /** The future of the close, once there is one. */
    private @Nullable CompletableFuture<Void> closing;

    /**
     * @param session that created the file, or opened it to append
     * @param info as the create or append answered it, with the layout; columns with datafiles are sealed, and as long as its length says
     * @param whenOver called once, after the file was closed or failed
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

    boolean hasFailed() {
        return failure.hasBegun();
    }

    /** The attributes as the create or append answered them. */
    public FileInfo info() {
        return file.info();
    }

    /** Position of the next byte. */
    public long position() {
        return position;
    }

    /** The error that ended the writing, if one did. */
    public Optional<FsException> failure() {
        return Optional.ofNullable(failure.error());
    }

    /**
     * Takes bytes as long as there is room in the window, without waiting.
     *
     * @return how many were taken; fewer than given where the window is full: go on after {@link #room}
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

    /** Takes memory for a new unit, as {@link WriterMemory#take}. */
    int takeMemory(int wanted) {
        return unitMemory.take(wanted);
    }

    /** Sends all bytes that are held back. */
    void cutAll() {
        columns.forEach(ColumnWriter::cut);
    }

    /** The window is full. Sends full units. If nothing is on its way even then, sends all bytes. */
    private void makeRoom() {
        columns.forEach(ColumnWriter::cutFull);
        if (columns.stream().noneMatch(ColumnWriter::isUnderWay)) {
            cutAll();
        }
    }

    /** Completes when {@link #append} has room again. Fails with the error that ended the writing. */
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

    /** As {@link FileWriter#close}. A second call has the same outcome as the first. */
    public CompletableFuture<Void> close() {
        return flush(Flush.Mode.CLOSE);
    }

    /** The client is closed, which ends the session. The servers recover the file as it is. */
    public void leave() {
        turns.take(() -> {
            failure.leave();
            return true;
        });
    }

    /** Gives the file up, because the caller that opened it has left. */
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

    /** To be called when there may be room again. */
    void roomAgain() {
        window.roomAgain();
    }

    /** A column's bytes were acknowledged. */
    void acknowledged(int bytes) {
        window.acknowledged(bytes);
        courier.counters().bytesWritten.add(bytes);
        roomAgain();
        flushes.advance();
    }

    /** Ends the writing. The message says what happened, and where within the file. */
    void fail(FsError error, String message) {
        failure.fail(error, message);
    }

    /** The writing has failed. Releases what the writer holds, and returns the futures of all who wait. */
    private List<CompletableFuture<Void>> letGo() {
        columns.forEach(ColumnWriter::release);
        unitMemory.giveBackAll();
        List<CompletableFuture<Void>> all = window.leave();
        flushes.leave(all);
        return all;
    }

    /**
     * Gives up a file that the session writes, and reports why the writing failed. If the file's shard says that the file no longer exists, that is the reason. Otherwise the reason is the failure itself.
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
