package io.steadfs.client.read;

import io.netty.buffer.ByteBuf;
import io.steadfs.checksum.Chunks;
import io.steadfs.client.call.Answerer;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReadReply;
import io.steadfs.wire.proto.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/**
 * Fetches ranges of a file from its columns in parallel. Compares every chunk that arrives with its checksum. Every
 * byte within the file's length must exist. If a column has no datafile, or its datafile is too short, the read fails
 * with CORRUPT. A read never returns zeros for missing bytes.
 */
record CheckedReads(Courier courier, Operation operation, FileInfo info, Layout layout, long length, int unitBytes) {

    /**
     * Fetches one range of bytes, which lies within the file.
     *
     * @param from file offset of the first byte
     * @param to file offset after the last byte
     *
     * @return pieces in the order of their file offsets, without gap or overlap; the receiver releases the pieces
     */
    CompletableFuture<List<Piece>> fetch(long from, long to) {
        List<ReadPart> parts = ReadPart.of(layout.striping(), from, to, unitBytes);
        List<CompletableFuture<List<Piece>>> fetches = new ArrayList<>(parts.size());
        for (ReadPart part : parts) {
            fetches.add(fetch(part));
        }
        if (fetches.size() == 1) {
            return fetches.get(0);
        }
        CompletableFuture<List<Piece>> all = new CompletableFuture<>();
        var unused = CompletableFuture.allOf(fetches.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        all.complete(inOrder(fetches));
                    } else {
                        for (CompletableFuture<List<Piece>> fetch : fetches) {
                            if (!fetch.isCompletedExceptionally()) {
                                fetch.join().forEach(Piece::release);
                            }
                        }
                        all.completeExceptionally(Futures.unwrap(failure));
                    }
                });
        return all;
    }

    private static List<Piece> inOrder(List<CompletableFuture<List<Piece>>> fetches) {
        List<Piece> pieces = new ArrayList<>();
        for (CompletableFuture<List<Piece>> fetch : fetches) {
            pieces.addAll(fetch.join());
        }
        pieces.sort(java.util.Comparator.comparingLong(Piece::start));
        return pieces;
    }

    private CompletableFuture<List<Piece>> fetch(ReadPart part) {
        Handle datafile = layout.datafiles().get(part.column());
        if (datafile.isNone()) {
            return CompletableFuture.failedFuture(new FsException(
                    FsError.CORRUPT,
                    at(part, part.from()) + ": column " + part.column() + " has no datafile, but the file's length of "
                            + length + " bytes counts bytes of it"));
        }
        Question question = Question.ioServer(
                Kind.READ,
                "read",
                datafile.owner(),
                ReadRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(info.handle().value())
                        .setOffset(part.from())
                        .setLength((int) (part.to() - part.from()))
                        .build());
        return Futures.map(courier.settle(operation, question, Courier.Stamp.NONE), settled -> {
            Reply reply = settled.reply();
            try {
                if (reply.isOk()) {
                    return check(part, datafile, settled.from(), reply);
                }
                if (RetryRule.verdict(reply.error()) != RetryRule.Verdict.SETTLED) {
                    throw settled.refusal(operation, question);
                }
                throw new FsException(
                        reply.error(),
                        at(part, part.from()) + ", datafile " + datafile + " offset " + part.from() + ", "
                                + settled.from() + ": " + reply.header().getMessage());
            } finally {
                if (reply.isOk()) {
                    reply.payload().release();
                }
            }
        });
    }

    private String at(ReadPart part, long datafileOffset) {
        return operation.subject() + ": file offset " + layout.striping().fileOffset(part.column(), datafileOffset);
    }

    /**
     * Compares the payload with its checksums, and cuts the payload into pieces. Each piece holds its own reference to
     * the buffer.
     */
    private List<Piece> check(ReadPart part, Handle datafile, Answerer answerer, Reply reply) throws FsException {
        ReadReply answer = (ReadReply) reply.body();
        if (answer.getDatafileLength() < part.to()) {
            throw new FsException(
                    FsError.CORRUPT,
                    at(part, Math.max(part.from(), answer.getDatafileLength())) + where(datafile, answerer)
                            + ": the datafile ends at " + answer.getDatafileLength() + ", inside the file's length of "
                            + length + " bytes");
        }
        if (!(reply.payload() instanceof Payload.Bytes payload)) {
            throw new FsException(
                    FsError.FAULT, at(part, part.from()) + where(datafile, answerer) + ": payload is not in memory");
        }
        ByteBuf bytes = payload.buffer();
        long start = answer.getOffset();
        long end = start + bytes.readableBytes();
        if (start != Chunks.floor(part.from())
                || end < part.to()
                || answer.getChecksumsCount() != Chunks.count(bytes.readableBytes())) {
            throw new FsException(
                    FsError.BAD_MESSAGE,
                    at(part, part.from()) + where(datafile, answerer) + ": asked for " + part.from() + ".." + part.to()
                            + ", got " + start + ".." + end + " with " + answer.getChecksumsCount() + " checksums");
        }
        CRC32C crc = new CRC32C();
        for (int chunk = 0; chunk < answer.getChecksumsCount(); chunk++) {
            int from = chunk * Chunks.CHUNK_BYTES;
            int count = Math.min(Chunks.CHUNK_BYTES, bytes.readableBytes() - from);
            crc.reset();
            crc.update(bytes.nioBuffer(bytes.readerIndex() + from, count));
            if ((int) crc.getValue() != answer.getChecksums(chunk)) {
                throw new FsException(
                        FsError.CORRUPT,
                        String.format(
                                "%s%s: the %d bytes from datafile offset %d on have CRC32C %08x, stored is %08x",
                                at(part, start + from),
                                where(datafile, answerer),
                                count,
                                start + from,
                                (int) crc.getValue(),
                                answer.getChecksums(chunk)));
            }
        }
        courier.counters().bytesFetched.add(bytes.readableBytes());
        return pieces(part, start, bytes);
    }

    private static String where(Handle datafile, Answerer answerer) {
        return ", datafile " + datafile + ", " + answerer;
    }

    private List<Piece> pieces(ReadPart part, long start, ByteBuf bytes) {
        Striping striping = layout.striping();
        List<Piece> pieces = new ArrayList<>();
        long at = part.from();
        while (at < part.to()) {
            int count = (int) Math.min(part.to() - at, striping.stripSize() - at % striping.stripSize());
            ByteBuf slice = bytes.retainedSlice(bytes.readerIndex() + (int) (at - start), count);
            pieces.add(new Piece(striping.fileOffset(part.column(), at), slice));
            at += count;
        }
        return pieces;
    }
}
