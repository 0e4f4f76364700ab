package io.steadfs.client.read;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.StatDatafilesReply;
import io.steadfs.wire.proto.StatDatafilesRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the number of bytes that readers can see now in a file that a session is writing. The result is the larger of
 * two lengths: the recorded length, and the length that the attached columns hold without a hole. The result counts all
 * flushed bytes, unless a server has lost bytes that were never synced.
 *
 * @param operation operation that asks for the length
 */
public record VisibleLength(Courier courier, Operation operation) {

    public CompletableFuture<Long> of(FileInfo info, Layout layout) {
        Map<Integer, StatDatafilesRequest.Builder> byServer = new TreeMap<>();
        for (int column = 0; column < layout.width(); column++) {
            Handle datafile = layout.datafiles().get(column);
            if (!datafile.isNone()) {
                byServer.computeIfAbsent(datafile.owner(), server -> StatDatafilesRequest.newBuilder())
                        .addDatafiles(datafile.value());
            }
        }
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        byServer.forEach((server, request) -> replies.add(courier.ask(
                operation, Question.ioServer(Kind.STAT_DATAFILES, "open file length", server, request.build()))));
        return Futures.map(
                CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)),
                done -> Math.max(info.recordedLength(), length(layout, replies)));
    }

    private long length(Layout layout, List<CompletableFuture<Reply>> replies) throws FsException {
        Map<Long, Long> lengths = new HashMap<>();
        for (CompletableFuture<Reply> reply : replies) {
            for (DatafileState state :
                    reply.join().body(StatDatafilesReply.class).getDatafilesList()) {
                if (state.getError() != FsError.OK.code()) {
                    throw new FsException(
                            FsError.byCode(state.getError()).orElse(FsError.FAULT),
                            operation.subject() + ": datafile " + new Handle(state.getDatafile()) + ": "
                                    + state.getMessage());
                }
                lengths.put(state.getDatafile(), Answers.length(state));
            }
        }
        long[] columns = new long[layout.width()];
        for (int column = 0; column < columns.length; column++) {
            columns[column] =
                    lengths.getOrDefault(layout.datafiles().get(column).value(), 0L);
        }
        return layout.striping().fileLength(columns);
    }
}
