package io.steadfs.client.write;

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
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.TruncateRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Prepares the columns of an existing file for a new writer, in three steps:
 *
 * <ol>
 * <li>The client seals every column under the new writer's write generation. After a seal, no earlier writer can change
 * the column. The seal also makes the column's bytes durable and returns the column's length.
 * <li>The client checks for columns that are shorter than the file's length requires. A column that is too short has
 * lost bytes. If a column is too short, the open fails with CORRUPT before the writer does more harm.
 * <li>The client cuts columns that are longer than the file's length requires. The extra bytes were never part of the
 * file, because bytes before the extra bytes are missing. Without a cut, the extra bytes would become part of the file
 * once the new writer has written the missing bytes. A cut is durable.
 * </ol>
 *
 * Each step may be repeated. No step changes bytes within the file's length.
 */
public record SealedColumns(Courier courier, Operation operation, FileInfo info, Layout layout) {

    /** Completes when every column has exactly the number of bytes that the file's length requires. */
    public CompletableFuture<Void> prepare() {
        Map<Integer, SealRequest.Builder> byServer = new TreeMap<>();
        for (Handle datafile : layout.datafiles()) {
            if (!datafile.isNone()) {
                byServer.computeIfAbsent(
                                datafile.owner(),
                                server -> SealRequest.newBuilder()
                                        .setMetafile(info.handle().value())
                                        .setWriteGeneration(info.writeGeneration()))
                        .addDatafiles(datafile.value());
            }
        }
        List<CompletableFuture<Reply>> seals = new ArrayList<>();
        byServer.forEach((server, request) ->
                seals.add(courier.ask(operation, Question.ioServer(Kind.SEAL, "seal", server, request.build()))));
        return Futures.then(
                CompletableFuture.allOf(seals.toArray(CompletableFuture[]::new)), done -> cut(lengths(seals)));
    }

    private Map<Handle, Long> lengths(List<CompletableFuture<Reply>> seals) throws FsException {
        Map<Handle, Long> lengths = new HashMap<>();
        for (CompletableFuture<Reply> seal : seals) {
            for (DatafileState state : seal.join().body(SealReply.class).getDatafilesList()) {
                Handle datafile = new Handle(state.getDatafile());
                if (state.getError() != FsError.OK.code()) {
                    throw new FsException(
                            FsError.byCode(state.getError()).orElse(FsError.FAULT),
                            operation.subject() + ": datafile " + datafile + " cannot be sealed: "
                                    + state.getMessage());
                }
                lengths.put(datafile, Answers.length(state));
            }
        }
        return lengths;
    }

    private CompletableFuture<Void> cut(Map<Handle, Long> lengths) throws FsException {
        List<CompletableFuture<Void>> cuts = new ArrayList<>();
        for (int column = 0; column < layout.width(); column++) {
            Handle datafile = layout.datafiles().get(column);
            long wanted = layout.striping().datafileLength(column, info.length());
            long length = datafile.isNone() ? 0 : lengths.getOrDefault(datafile, 0L);
            if (length < wanted) {
                throw new FsException(
                        FsError.CORRUPT,
                        operation.subject() + ": column " + column + ", datafile " + datafile + ", has " + length
                                + " bytes, but the file's length of " + info.length() + " bytes needs " + wanted);
            }
            if (length > wanted) {
                cuts.add(cut(datafile, wanted));
            }
        }
        return CompletableFuture.allOf(cuts.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> cut(Handle datafile, long length) {
        TruncateRequest request = TruncateRequest.newBuilder()
                .setDatafile(datafile.value())
                .setMetafile(info.handle().value())
                .setWriteGeneration(info.writeGeneration())
                .setLength(length)
                .build();
        return Futures.done(
                courier.ask(operation, Question.ioServer(Kind.TRUNCATE, "cut", datafile.owner(), request)),
                reply -> reply.payload().release());
    }
}
