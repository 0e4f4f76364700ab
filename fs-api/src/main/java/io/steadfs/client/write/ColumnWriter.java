package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.RetryRule;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WriteReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes one column of an open file. Keeps the column's units in order and knows how many bytes the IO server has
 * acknowledged. A unit is the bytes of one write request.
 *
 * <p>The column sends units in order, without waiting for answers. Only the first unit is sent alone, because its
 * answer brings the datafile's handle. If a request fails and a repetition may help, the column stops sending. The
 * column then waits until every unit in flight is answered or has timed out. After a pause, which {@link RetryRule}
 * determines, the column sends again from the first unacknowledged unit.
 *
 * <p>Sending units again is safe, because a repeated write of the same bytes changes nothing. No unit can be lost
 * unnoticed: after a lost unit, the server refuses all later units with WRITE_GAP. If a unit is sent after all earlier
 * units were acknowledged, WRITE_GAP means that the server has lost acknowledged bytes. The writer of the file then
 * fails. A server may lose acknowledged bytes until a sync has made the bytes durable. For this rule, only
 * acknowledgements that came before the unit was sent count. A later acknowledgement may be newer than the refusal.
 *
 * <p>Until the first unit is acknowledged, the column can move to another IO server. The column moves if its present
 * server is full or cannot be reached. An unanswered try may have made a datafile that the file does not use. The IO
 * server removes such an unused datafile after asking the shard.
 *
 * <p>All methods must be called in a turn of the {@link StripedWriter}. So only one thread at a time calls the methods.
 */
final class ColumnWriter {
    private enum State {
        SENDING,
        /** After a failed unit, the column waits until no unit is in flight. */
        DRAINING,
        PAUSED
    }

    private final StripedWriter file;
    private final int index;
    private final List<WriteUnit> units = new ArrayList<>();
    private final ColumnServer server;
    private Handle datafile = Handle.NONE;
    private @Nullable WriteUnit filling;
    private State state = State.SENDING;
    private long filled;
    private long acknowledged;
    private long synced;
    private boolean attached;
    /** Whether the column ever sent a unit, with whatever outcome. */
    private boolean everSent;

    private int inFlight;

    /** Time of the first failure since the last acknowledgement, in nanoseconds of the monotonic clock. */
    private long troubleSinceNanos;

    private int failures;
    private @Nullable Reply lastTrouble;

    /** Makes a writer for a column without a datafile. The column's first write makes the datafile. */
    ColumnWriter(StripedWriter file, int index, int server) {
        this.file = file;
        this.index = index;
        this.server = new ColumnServer(file.courier(), server);
    }

    /**
     * Makes a writer that appends to the datafile of a column.
     *
     * @param length bytes that the datafile holds already; all these bytes are durable
     */
    ColumnWriter(StripedWriter file, int index, Handle datafile, long length) {
        this(file, index, datafile.owner());
        this.datafile = datafile;
        this.attached = true;
        this.filled = length;
        this.acknowledged = length;
        this.synced = length;
    }

    int index() {
        return index;
    }

    int server() {
        return server.id();
    }

    Handle datafile() {
        return datafile;
    }

    /** Number of bytes that the column has taken so far. */
    long filled() {
        return filled;
    }

    long acknowledged() {
        return acknowledged;
    }

    long synced() {
        return synced;
    }

    /** Whether the column has a datafile that the metafile does not list yet. */
    boolean isUnattached() {
        return !datafile.isNone() && !attached;
    }

    /** Whether the column ever sent a unit, with whatever outcome. */
    boolean hasSent() {
        return everSent;
    }

    void attached() {
        attached = true;
    }

    void synced(long length) {
        synced = Math.max(synced, length);
    }

    /**
     * Takes bytes into the present unit. Returns the number of bytes taken, which is 0 if there is no memory. A full
     * unit is sent only when the next byte comes. So a close can send the last unit with the request to sync, and needs
     * no further request.
     */
    int fill(byte[] bytes, int from, int count) {
        if (filling != null && filling.room() == 0 && !filling.grow()) {
            cut();
        }
        WriteUnit unit = filling != null ? filling : newUnit(filled > 0 || count >= file.unitBytes());
        filling = unit;
        if (unit == null) {
            return 0;
        }
        int taken = Math.min(count, unit.room());
        unit.fill(bytes, from, taken);
        filled += taken;
        return taken;
    }

    /**
     * Makes an empty unit. Returns null if there is no memory.
     *
     * @param many whether many bytes are expected
     */
    private @Nullable WriteUnit newUnit(boolean many) {
        int capacity = file.takeMemory(many ? file.unitBytes() : Math.min(file.unitBytes(), WriteUnit.FIRST_CAPACITY));
        if (capacity == 0) {
            return null;
        }
        try {
            return new WriteUnit(filled, file.unitBytes(), capacity, file.memory());
        } catch (OutOfMemoryError e) {
            file.memory().giveBack(capacity);
            file.fail(
                    FsError.NO_MEMORY,
                    "no memory for " + capacity + " bytes (-XX:MaxDirectMemorySize): " + e.getMessage());
            return null;
        }
    }

    /** Sends the present unit if the unit is full. */
    void cutFull() {
        if (filling != null && filling.isFull()) {
            cut();
        }
    }

    /**
     * Whether units wait for their acknowledgement. An acknowledgement frees memory, so the file gets room without
     * sending an incomplete unit.
     */
    boolean isUnderWay() {
        return !units.isEmpty();
    }

    /** Sends the present unit, full or not. */
    void cut() {
        WriteUnit unit = filling;
        if (unit != null) {
            filling = null;
            units.add(unit);
            send();
        }
    }

    /**
     * Like the method {@link #cut}, but also asks the server to sync all bytes of the column. If the last unit is in
     * flight already, the caller must send a SYNC request.
     */
    void cutSynced() {
        WriteUnit last = filling != null ? filling : units.isEmpty() ? null : units.get(units.size() - 1);
        if (last != null && !last.sent) {
            last.sync = true;
        }
        cut();
    }

    void release() {
        units.forEach(WriteUnit::release);
        units.clear();
        if (filling != null) {
            filling.release();
            filling = null;
        }
    }

    private void send() {
        if (state != State.SENDING) {
            return;
        }
        for (WriteUnit unit : units) {
            if (datafile.isNone() && inFlight > 0) {
                return;
            }
            if (!unit.sent) {
                send(unit);
            }
        }
    }

    private void send(WriteUnit unit) {
        unit.sent = true;
        everSent = true;
        unit.sentBehindAcknowledged = units.get(0) == unit;
        inFlight++;
        Optional<ServerAddress> address = file.courier().cluster().present().flatMap(map -> map.ioServer(server.id()));
        if (address.isEmpty()) {
            String message = "cluster map has no address of IO server " + server.id();
            file.turns().bring(() -> answered(unit, Reply.refused(Kind.WRITE, FsError.UNREACHABLE, message)));
            return;
        }
        String step = datafile.isNone() ? "first write" : "write";
        var unused = file.courier()
                .attempt(
                        file.operation(),
                        Kind.WRITE,
                        step,
                        address.get(),
                        0,
                        unit.request()
                                .setDatafile(datafile.value())
                                .setMetafile(file.metafile().value())
                                .setIndex(index)
                                .setWriteGeneration(file.writeGeneration())
                                .build(),
                        unit.payload(),
                        Courier.Stamp.NONE,
                        file.courier().rule().attemptTimeoutMillis())
                .whenComplete((reply, broken) -> {
                    Reply answer = reply != null
                            ? reply
                            : Reply.refused(Kind.WRITE, FsError.CONNECTION_LOST, String.valueOf(broken));
                    answer.payload().release();
                    file.courier().cluster().seen(answer.header().getEpoch());
                    file.turns().bring(() -> answered(unit, answer));
                });
    }

    private void answered(WriteUnit unit, Reply reply) {
        inFlight--;
        unit.sent = false;
        if (file.hasFailed()) {
            return;
        }
        if (reply.isOk()) {
            acknowledged(unit, (WriteReply) reply.body());
        } else if (reply.error() == FsError.WRITE_GAP) {
            if (unit.sentBehindAcknowledged) {
                file.fail(
                        FsError.WRITE_GAP,
                        at(unit) + " lost bytes that it had acknowledged but not synced: "
                                + reply.header().getMessage());
                return;
            }
            state = State.DRAINING;
        } else if (RetryRule.verdict(reply.error()) == RetryRule.Verdict.SETTLED
                && !(reply.error() == FsError.NO_SPACE && mayMove())) {
            file.fail(reply.error(), at(unit) + ": " + reply.header().getMessage());
            return;
        } else {
            lastTrouble = reply;
            state = State.DRAINING;
        }
        if (state == State.DRAINING && inFlight == 0) {
            recover();
        } else {
            send();
        }
    }

    private void acknowledged(WriteUnit unit, WriteReply reply) {
        Handle answered = new Handle(reply.getDatafile());
        if (!answered.isOwnedByIoServer()) {
            file.fail(FsError.FAULT, at(unit) + " answered for " + answered + ", the handle of no datafile");
            return;
        }
        if (datafile.isNone()) {
            datafile = answered;
            server.settled(answered.owner());
        } else if (!datafile.equals(answered)) {
            file.fail(FsError.FAULT, at(unit) + " answered for datafile " + answered);
            return;
        }
        acknowledged = Math.max(acknowledged, unit.end());
        synced(reply.getSyncedLength());
        failures = 0;
        units.remove(unit);
        file.acknowledged(unit.length());
        unit.release();
    }

    private boolean mayMove() {
        return datafile.isNone();
    }

    /**
     * Decides when the column sends again, and to which server. Called when no unit is in flight and the first unit is
     * not acknowledged.
     */
    private void recover() {
        Reply trouble = lastTrouble;
        long now = file.courier().clock().monotonicNanos();
        if (failures++ == 0) {
            troubleSinceNanos = now;
        }
        server.tryFailed();
        long pauseMillis = file.courier().rule().pauseMillis(failures);
        boolean full = trouble != null && trouble.error() == FsError.NO_SPACE;
        if (mayMove() && trouble != null && server.isAtFault(trouble.error()) && !server.moveElsewhere() && full) {
            file.fail(
                    FsError.NO_SPACE,
                    at(units.get(0)) + " and every other IO server: "
                            + trouble.header().getMessage());
            return;
        }
        if (file.courier().isOver(troubleSinceNanos, pauseMillis)) {
            FsError error = trouble == null ? FsError.TIMED_OUT : trouble.error();
            String said = trouble == null ? "" : ": " + trouble.header().getMessage();
            file.fail(error, at(units.get(0)) + " not written in time" + said);
            return;
        }
        state = State.PAUSED;
        file.courier().counters().retries.increment();
        Runnable resume = () ->
                file.courier().pauses().then(pauseMillis, () -> file.turns().bring(this::resume));
        if (trouble != null && RetryRule.verdict(trouble.error()) == RetryRule.Verdict.REFRESH_THEN_AGAIN) {
            var unused = file.courier().cluster().refresh().whenComplete((map, failure) -> resume.run());
            return;
        }
        if (trouble != null && RetryRule.hintsAtMove(trouble.error())) {
            var unused = file.courier().cluster().refresh();
        }
        resume.run();
    }

    private void resume() {
        if (!file.hasFailed()) {
            state = State.SENDING;
            lastTrouble = null;
            send();
        }
    }

    private String at(WriteUnit unit) {
        String address = file.courier()
                .cluster()
                .present()
                .flatMap(map -> map.ioServer(server.id()))
                .map(found -> " at " + found)
                .orElse("");
        String name = datafile.isNone() ? "new datafile" : "datafile " + datafile;
        return "file offset " + file.fileOffset(index, unit.offset()) + ", column " + index + ", " + name + " offset "
                + unit.offset() + ", IO server " + server.id() + address;
    }
}
