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
 * What a new writer of an old file does before it writes, in this order:
 *
 * <ol>
 * <li>SEAL of every column under its write generation. After that no earlier writer can change the columns, their bytes are durable, and
 * their lengths are known.
 * <li>A column that is shorter than the file's length needs has lost bytes. The writing fails with CORRUPT, before it does more harm.
 * <li>A column that is longer holds bytes that never counted, because bytes before them are missing. It is cut, durably. Otherwise those
 * bytes would count as the new writer's as soon as it fills the hole.
 * </ol>
 *
 * Each step may be repeated, and none changes bytes within the file's length.
 */
public record SealedColumns(Courier courier, Operation operation, FileInfo info, Layout layout) {

    /** Completes when every column has exactly the bytes that the file's length needs. */
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
