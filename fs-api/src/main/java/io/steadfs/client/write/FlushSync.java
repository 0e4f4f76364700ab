package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Turns;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.SyncReply;
import io.steadfs.wire.proto.SyncRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the acknowledged bytes of a flush to stable storage. Each server with unsynced bytes of the flush gets one
 * SYNC request. If a server has fewer bytes on stable storage than the server has acknowledged, the writing fails. All
 * methods must be called in the writer's turn.
 */
final class FlushSync {
    private final Flushes flushes;
    private final SessionFile file;
    private final Courier courier;
    private final Turns turns;
    private final WriteFailure failure;
    private final List<ColumnWriter> columns;

    FlushSync(
            Flushes flushes,
            SessionFile file,
            Courier courier,
            Turns turns,
            WriteFailure failure,
            List<ColumnWriter> columns) {
        this.flushes = flushes;
        this.file = file;
        this.courier = courier;
        this.turns = turns;
        this.failure = failure;
        this.columns = columns;
    }

    /** Sends the SYNC requests of the flush. Sends no request if all bytes of the flush are synced. */
    void send(Flush flush) {
        Map<Integer, List<ColumnWriter>> byServer = new TreeMap<>();
        for (ColumnWriter column : columns) {
            if (column.synced() < flush.targets[column.index()]) {
                byServer.computeIfAbsent(column.server(), server -> new ArrayList<>())
                        .add(column);
            }
        }
        flush.syncsUnderWay = byServer.size();
        byServer.forEach((server, dirty) -> {
            SyncRequest.Builder request =
                    SyncRequest.newBuilder().setWriteGeneration(file.info().writeGeneration());
            dirty.forEach(column -> request.addDatafiles(column.datafile().value()));
            var unused = courier.ask(file.operation(), Question.ioServer(Kind.SYNC, "sync", server, request.build()))
                    .whenComplete(
                            (reply, refused) -> turns.bring(() -> answered(flush, server, dirty, reply, refused)));
        });
    }

    private void answered(
            Flush flush, int server, List<ColumnWriter> dirty, @Nullable Reply reply, @Nullable Throwable refused) {
        flush.syncsUnderWay--;
        if (failure.isFinal()) {
            return;
        }
        if (reply == null) {
            failure.failAfter(refused);
            return;
        }
        reply.payload().release();
        List<DatafileState> states = ((SyncReply) reply.body()).getDatafilesList();
        if (states.size() != dirty.size()) {
            failure.fail(
                    FsError.FAULT,
                    "IO server " + server + " answered SYNC of " + dirty.size() + " datafiles with " + states.size());
            return;
        }
        for (int i = 0; i < states.size() && !failure.isFinal(); i++) {
            check(flush, dirty.get(i), server, states.get(i));
        }
        flushes.advance();
    }

    private void check(Flush flush, ColumnWriter column, int server, DatafileState state) {
        long target = flush.targets[column.index()];
        String where = "datafile " + column.datafile() + " at IO server " + server;
        if (state.getError() != FsError.OK.code()) {
            failure.fail(
                    FsError.byCode(state.getError()).orElse(FsError.FAULT),
                    where + " was not synced: " + state.getMessage());
        } else if (state.getSyncedLength() < target) {
            failure.fail(
                    FsError.WRITE_GAP,
                    where + " has " + state.getSyncedLength() + " bytes on stable storage, but had acknowledged "
                            + target);
        } else {
            column.synced(state.getSyncedLength());
        }
    }
}
