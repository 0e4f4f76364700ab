package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.call.Turns;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonRequest;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.SyncReply;
import io.steadfs.wire.proto.SyncRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new file from its beginning, or an old one from its end. Bytes are dealt to the columns as they are taken. A column sends a
 * request when it has a full unit. The rest waits for a flush, so that a small file is one request.
 *
 * <p>A flush (hflush, hsync, close) fixes how far each column must be, and then goes through these steps in order. First all those bytes
 * are acknowledged. For hsync and close the columns are then synced, where their last write did not do that already. Then the metafile's
 * shard is told the new length and new columns, or for close everything is recorded in one request. Flushes follow one another.
 *
 * <p>The first error is final. All later calls fail with it, the buffers are given back, and the file is given up so that the servers
 * recover it at once. The file is not given up if the error says that it no longer belongs to this writer. Thread-safe. Memory is bounded
 * as {@link WriteOptions} says.
 */
public final class StripedWriter implements StreamMemory.Holder {
    private enum Mode {
        FLUSH,
        SYNC,
        CLOSE
    }

    /** One flush on its way. */
    private static final class Flush {
        final Mode mode;
        final long position;
        final long[] targets;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        int syncsUnderWay;
        boolean synced;
        boolean recording;

        Flush(Mode mode, long position, long[] targets) {
            this.mode = mode;
            this.position = position;
            this.targets = targets;
        }
    }

    private final Turns turns = new Turns();
    private final Courier courier;
    private final RecordedCalls recorded;
    private final Session session;
    private final Operation operation;
    private final FileInfo info;
    private final Striping striping;
    private final WriteOptions options;
    private final int unitBytes;
    private final Consumer<StripedWriter> whenOver;
    private final List<ColumnWriter> columns = new ArrayList<>();

    private final Deque<Flush> flushes = new ArrayDeque<>();
    private final List<CompletableFuture<Void>> waitingForRoom = new ArrayList<>();
    private volatile long position;
    private long held;
    /** Length that the metafile's shard was told. Others are told at least this length. */
    private long told;
    /** The cause of the last error is being asked for. Nothing is sent meanwhile. */
    private boolean failing;

    /** A request for memory, while it is waited for. */
    private @Nullable CompletableFuture<Void> waiting;
    /** Bytes of memory that were waited for. They go into the next unit. */
    private int granted;

    private volatile @Nullable FsException failure;
    private @Nullable CompletableFuture<Void> closing;
    private boolean leaving;

    /**
     * @param session that created the file, or opened it to append
     * @param info as the create or append answered it, with the layout; columns that have datafiles are sealed, and as long as the length
     *     says
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
        this.recorded = recorded;
        this.session = session;
        this.operation = operation;
        this.info = info;
        this.options = options;
        this.whenOver = whenOver;
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
        this.told = info.length();
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
        return operation;
    }

    Handle metafile() {
        return info.handle();
    }

    long writeGeneration() {
        return info.writeGeneration();
    }

    int unitBytes() {
        return unitBytes;
    }

    long fileOffset(int column, long datafileOffset) {
        return striping.fileOffset(column, datafileOffset);
    }

    boolean hasFailed() {
        return failure != null || failing;
    }

    /** The attributes as the create or append answered them. */
    public FileInfo info() {
        return info;
    }

    /** Position of the next byte. */
    public long position() {
        return position;
    }

    /** The error that ended the writing, if one did. */
    public Optional<FsException> failure() {
        return Optional.ofNullable(failure);
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
        if (failure != null) {
            return failure;
        }
        return closing == null
                ? null
                : new FsException(FsError.INVALID_ARGUMENT, "writer of " + operation.subject() + " is closed");
    }

    private int take(byte[] bytes, int offset, int length) {
        int done = 0;
        while (done < length && failure == null) {
            long room = options.windowBytes() - held;
            if (room <= 0) {
                makeRoom();
                break;
            }
            long at = position;
            int step = (int) Math.min(room, Math.min(length - done, striping.leftInStrip(at)));
            int taken = columns.get(striping.column(at)).fill(bytes, offset + done, step);
            if (taken == 0) {
                waitForMemory();
                break;
            }
            done += taken;
            position = at + taken;
            held += taken;
        }
        if (memory().isShort()) {
            columns.forEach(ColumnWriter::cut);
        }
        return done;
    }

    StreamMemory memory() {
        return courier.memory();
    }

    /** Takes memory for a new unit: as much as is wanted; if that is not available, the least size of a unit; otherwise nothing. */
    int takeMemory(int wanted) {
        int taken = granted;
        granted = 0;
        if (taken == 0 && memory().tryTake(wanted)) {
            taken = wanted;
        }
        int least = Math.min(wanted, WriteUnit.FIRST_CAPACITY);
        if (taken == 0 && memory().tryTake(least)) {
            taken = least;
        }
        if (taken > 0) {
            memory().keeps(this);
        }
        return taken;
    }

    /** Waits for memory. Meanwhile no bytes are held back, so that other streams can go on. */
    private void waitForMemory() {
        columns.forEach(ColumnWriter::cut);
        if (waiting == null && !hasFailed()) {
            int least = Math.min(unitBytes, WriteUnit.FIRST_CAPACITY);
            CompletableFuture<Void> taken = memory().take(least, courier);
            waiting = taken;
            var unused = taken.whenComplete((done, refused) -> turns.bring(() -> hasMemory(taken, least, refused)));
        }
    }

    private void hasMemory(CompletableFuture<Void> taken, int bytes, @Nullable Throwable refused) {
        boolean wanted = waiting == taken;
        waiting = wanted ? null : waiting;
        if (refused == null && (failure != null || !wanted)) {
            memory().giveBack(bytes);
        } else if (refused == null) {
            granted += bytes;
            memory().keeps(this);
            roomAgain();
        } else if (failure == null && wanted) {
            fail(asFsException(refused));
        }
    }

    /** Other streams need the memory: units that wait for more bytes are sent as they are. */
    @Override
    public void giveBack() {
        turns.bring(() -> {
            memory().giveBack(granted);
            granted = 0;
            if (!hasFailed()) {
                columns.forEach(ColumnWriter::cut);
            }
        });
    }

    private void giveBackAll() {
        memory().keepsNothing(this);
        memory().giveBack(granted);
        granted = 0;
        CompletableFuture<Void> waited = waiting;
        waiting = null;
        if (waited != null) {
            waited.cancel(false);
        }
    }

    /** The window is full. Sends full units; if nothing is on its way even then, sends all bytes. */
    private void makeRoom() {
        columns.forEach(ColumnWriter::cutFull);
        if (columns.stream().noneMatch(ColumnWriter::isUnderWay)) {
            columns.forEach(ColumnWriter::cut);
        }
    }

    /** Completes when {@link #append} has room again; fails with the error that ended the writing. */
    public CompletableFuture<Void> room() {
        CompletableFuture<Void> room = new CompletableFuture<>();
        return turns.take(() -> {
            if (failure != null) {
                room.completeExceptionally(failure);
            } else if (hasRoom()) {
                room.complete(null);
            } else {
                waitingForRoom.add(room);
            }
            return room;
        });
    }

    /** As {@link FileWriter#hflush}. */
    public CompletableFuture<Void> hflush() {
        return flush(Mode.FLUSH);
    }

    /** As {@link FileWriter#hsync}. */
    public CompletableFuture<Void> hsync() {
        return flush(Mode.SYNC);
    }

    /** As {@link FileWriter#close}. A second call has the same outcome as the first. */
    public CompletableFuture<Void> close() {
        return flush(Mode.CLOSE);
    }

    /** The client is closed, which ends the session. The servers recover the file as it is. */
    public void leave() {
        turns.take(() -> {
            if (failure == null) {
                leaving = true;
                fail(FsError.CANCELLED, "given up: the client was closed");
            }
            return true;
        });
    }

    /** Gives the file up, because the caller that opened it has left. */
    void nobodyWaits() {
        turns.take(() -> {
            if (failure == null) {
                fail(FsError.CANCELLED, "given up: nobody waited for it to be opened");
            }
            return true;
        });
    }

    private CompletableFuture<Void> flush(Mode mode) {
        return turns.take(() -> {
            if (mode == Mode.CLOSE && closing != null) {
                return closing.copy();
            }
            FsException refused = refusal();
            if (refused != null) {
                return CompletableFuture.failedFuture(refused);
            }
            Flush flush = begin(mode);
            if (mode == Mode.CLOSE) {
                closing = flush.done;
            }
            return flush.done.copy();
        });
    }

    private Flush begin(Mode mode) {
        boolean sync = mode == Mode.SYNC || (mode == Mode.CLOSE && options.syncOnClose());
        long[] targets = new long[columns.size()];
        for (ColumnWriter column : columns) {
            targets[column.index()] = column.filled();
        }
        Flush flush = new Flush(mode, position, targets);
        flush.synced = !sync;
        flushes.add(flush);
        for (ColumnWriter column : columns) {
            if (sync) {
                column.cutSynced();
            } else {
                column.cut();
            }
        }
        advance();
        return flush;
    }

    private boolean hasRoom() {
        return held < options.windowBytes() && waiting == null;
    }

    private void roomAgain() {
        if (hasRoom()) {
            List<CompletableFuture<Void>> ready = new ArrayList<>(waitingForRoom);
            waitingForRoom.clear();
            turns.afterwards(() -> ready.forEach(room -> room.complete(null)));
        }
    }

    /** A column's bytes were acknowledged. */
    void acknowledged(int bytes) {
        held -= bytes;
        courier.counters().bytesWritten.add(bytes);
        roomAgain();
        advance();
    }

    /** Ends the writing. The message says what happened, and where within the file. */
    void fail(FsError error, String message) {
        String subject = operation.subject();
        fail(new FsException(error, message.startsWith(subject) ? message : subject + ": " + message));
    }

    /** A datafile of this writer is gone. Most likely the file is gone too. Its shard says so when this writer gives the file up. */
    private void failForWantOfDatafile(FsException error) {
        if (!failing) {
            failing = true;
            abandonAndTell(
                    recorded, session, operation, info, error, cause -> turns.bring(() -> end(asFsException(cause))));
        }
    }

    private void fail(FsException error) {
        // While the shard is asked, errors of other columns have the same cause. So they wait for the shard's answer.
        if (failure == null && !leaving && (failing || error.error() == FsError.NO_SUCH_DATAFILE)) {
            failForWantOfDatafile(error);
        } else {
            end(error);
        }
    }

    private void end(FsException error) {
        if (failure != null) {
            return;
        }
        failure = error;
        columns.forEach(ColumnWriter::release);
        giveBackAll();
        List<CompletableFuture<Void>> failed = new ArrayList<>(waitingForRoom);
        waitingForRoom.clear();
        flushes.forEach(flush -> failed.add(flush.done));
        flushes.clear();
        boolean giveUp = !leaving && !failing && mayBeOurs(error.error());
        turns.afterwards(() -> {
            if (giveUp) {
                giveUp();
            }
            failed.forEach(future -> future.completeExceptionally(error));
            whenOver.accept(this);
        });
    }

    /** Whether the file may still belong to this writer. */
    private static boolean mayBeOurs(FsError error) {
        return switch (error) {
            case STALE_GENERATION, NOT_WRITER, SESSION_EXPIRED, NOT_FOUND -> false;
            default -> true;
        };
    }

    /**
     * Gives the file up, so that the servers recover it now. A close that is still on its way is refused after this, or has closed the file
     * before. If this request does not arrive, the file is recovered when the session ends.
     */
    private void giveUp() {
        var unused = abandon(recorded, session, operation, info);
    }

    /** Gives up a file that the session writes. */
    static CompletableFuture<Void> abandon(
            RecordedCalls recorded, Session session, Operation operation, FileInfo info) {
        Question question = Question.metafile(
                Kind.ABANDON,
                "abandon",
                info.handle(),
                AbandonRequest.newBuilder()
                        .setMetafile(info.handle().value())
                        .setWriteGeneration(info.writeGeneration())
                        .build());
        return Futures.done(
                recorded.askWithin(session, operation, question),
                reply -> reply.payload().release());
    }

    /**
     * Gives up a file that the session writes, and reports why the writing failed. If the file's shard says that the file no longer exists,
     * that is the reason; otherwise the failure itself.
     */
    public static void abandonAndTell(
            RecordedCalls recorded,
            Session session,
            Operation operation,
            FileInfo info,
            Throwable failure,
            Consumer<Throwable> whenKnown) {
        var unused = abandon(recorded, session, operation, info).whenComplete((done, refused) -> {
            boolean isGone = refused != null
                    && Futures.unwrap(refused) instanceof FsException gone
                    && gone.error() == FsError.NOT_FOUND;
            whenKnown.accept(
                    isGone
                            ? new FsException(
                                    FsError.NOT_FOUND,
                                    operation.subject() + " was deleted or overwritten while it was written",
                                    failure)
                            : failure);
        });
    }

    /** Takes the first flush as far as it can go, then the next one. */
    private void advance() {
        for (Flush flush = flushes.peek(); flush != null && !hasFailed(); flush = flushes.peek()) {
            if (flush.recording || flush.syncsUnderWay > 0 || !isAcknowledged(flush)) {
                return;
            }
            if (!flush.synced) {
                flush.synced = true;
                sync(flush);
            } else if (flush.mode == Mode.CLOSE
                    || flush.position > told
                    || columns.stream().anyMatch(ColumnWriter::isUnattached)) {
                flush.recording = true;
                record(flush);
            } else {
                finish(flush);
            }
        }
    }

    private boolean isAcknowledged(Flush flush) {
        for (ColumnWriter column : columns) {
            if (column.acknowledged() < flush.targets[column.index()]) {
                return false;
            }
        }
        return true;
    }

    /** Sends one SYNC to each server that holds un-synced bytes of the flush. */
    private void sync(Flush flush) {
        Map<Integer, List<ColumnWriter>> byServer = new TreeMap<>();
        for (ColumnWriter column : columns) {
            if (column.synced() < flush.targets[column.index()]) {
                byServer.computeIfAbsent(column.server(), server -> new ArrayList<>())
                        .add(column);
            }
        }
        flush.syncsUnderWay = byServer.size();
        byServer.forEach((server, dirty) -> {
            SyncRequest.Builder request = SyncRequest.newBuilder().setWriteGeneration(writeGeneration());
            dirty.forEach(column -> request.addDatafiles(column.datafile().value()));
            var unused = courier.ask(operation, Question.ioServer(Kind.SYNC, "sync", server, request.build()))
                    .whenComplete((reply, refused) -> turns.bring(() -> synced(flush, server, dirty, reply, refused)));
        });
    }

    private void synced(
            Flush flush, int server, List<ColumnWriter> dirty, @Nullable Reply reply, @Nullable Throwable refused) {
        flush.syncsUnderWay--;
        if (failure != null) {
            return;
        }
        if (reply == null) {
            fail(asFsException(refused));
            return;
        }
        reply.payload().release();
        List<DatafileState> states = ((SyncReply) reply.body()).getDatafilesList();
        if (states.size() != dirty.size()) {
            fail(
                    FsError.FAULT,
                    "IO server " + server + " answered SYNC of " + dirty.size() + " datafiles with " + states.size());
            return;
        }
        for (int i = 0; i < states.size() && failure == null; i++) {
            check(flush, dirty.get(i), server, states.get(i));
        }
        advance();
    }

    private void check(Flush flush, ColumnWriter column, int server, DatafileState state) {
        long target = flush.targets[column.index()];
        String where = "datafile " + column.datafile() + " at IO server " + server;
        if (state.getError() != FsError.OK.code()) {
            fail(
                    FsError.byCode(state.getError()).orElse(FsError.FAULT),
                    where + " was not synced: " + state.getMessage());
        } else if (state.getSyncedLength() < target) {
            fail(
                    FsError.WRITE_GAP,
                    where + " has " + state.getSyncedLength() + " bytes on stable storage, of " + target
                            + " that it had acknowledged");
        } else {
            column.synced(state.getSyncedLength());
        }
    }

    private void record(Flush flush) {
        List<ColumnWriter> fresh = new ArrayList<>();
        List<AttachedColumn> attach = new ArrayList<>();
        for (ColumnWriter column : columns) {
            if (column.isUnattached()) {
                fresh.add(column);
                attach.add(AttachedColumn.newBuilder()
                        .setIndex(column.index())
                        .setDatafile(column.datafile().value())
                        .build());
            }
        }
        Question question = flush.mode == Mode.CLOSE
                ? Question.metafile(
                        Kind.CLOSE,
                        "close",
                        metafile(),
                        CloseRequest.newBuilder()
                                .setMetafile(metafile().value())
                                .setWriteGeneration(writeGeneration())
                                .addAllColumns(attach)
                                .setLength(flush.position)
                                .build())
                : Question.metafile(
                        Kind.ATTACH,
                        "attach",
                        metafile(),
                        AttachRequest.newBuilder()
                                .setMetafile(metafile().value())
                                .setWriteGeneration(writeGeneration())
                                .addAllColumns(attach)
                                .setSyncedLength(flush.mode == Mode.SYNC ? flush.position : 0)
                                .setFlushedLength(flush.mode == Mode.FLUSH ? flush.position : 0)
                                .build());
        var unused = recorded.askWithin(session, operation, question)
                .whenComplete((reply, refused) -> turns.bring(() -> recorded(flush, fresh, reply, refused)));
    }

    private void recorded(Flush flush, List<ColumnWriter> fresh, @Nullable Reply reply, @Nullable Throwable refused) {
        flush.recording = false;
        if (failure != null) {
            return;
        }
        if (reply == null) {
            fail(asFsException(refused));
            return;
        }
        reply.payload().release();
        fresh.forEach(ColumnWriter::attached);
        told = Math.max(told, flush.position);
        finish(flush);
        advance();
    }

    private void finish(Flush flush) {
        flushes.remove(flush);
        if (flush.mode == Mode.CLOSE) {
            giveBackAll();
        }
        turns.afterwards(() -> {
            flush.done.complete(null);
            if (flush.mode == Mode.CLOSE) {
                whenOver.accept(this);
            }
        });
    }

    private FsException asFsException(@Nullable Throwable refused) {
        if (refused == null) {
            return new FsException(FsError.FAULT, operation.subject() + ": no reply");
        }
        Throwable cause = Futures.unwrap(refused);
        return cause instanceof FsException known
                ? known
                : new FsException(FsError.FAULT, operation.subject() + ": " + cause, cause);
    }
}
