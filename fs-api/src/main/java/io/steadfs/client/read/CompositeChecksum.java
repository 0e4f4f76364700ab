package io.steadfs.client.read;

import io.steadfs.checksum.Crc32cCombine;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ChecksumReply;
import io.steadfs.wire.proto.ChecksumRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/**
 * Computes the CRC32C of a whole file from the CRC32Cs of the file's strips. The IO servers compose the CRC32C of a
 * strip from stored checksums of chunks. After a recovery a datafile may have bytes beyond the file's end. Such extra
 * bytes make the CRC32C of the file's last strip useless. The client then reads the last strip and computes the CRC32C
 * itself.
 */
record CompositeChecksum(
        Courier courier, Operation operation, FileInfo info, Layout layout, long length, CheckedReads reads) {

    CompletableFuture<Integer> compute() {
        if (length == 0) {
            return CompletableFuture.completedFuture(0);
        }
        Striping striping = layout.striping();
        List<CompletableFuture<ChecksumReply>> columns = new ArrayList<>();
        for (int column = 0; column < layout.width() && striping.datafileLength(column, length) > 0; column++) {
            columns.add(column(column));
        }
        return Futures.then(
                CompletableFuture.allOf(columns.toArray(CompletableFuture[]::new)), done -> compose(columns));
    }

    private CompletableFuture<ChecksumReply> column(int column) {
        Handle datafile = layout.datafiles().get(column);
        if (datafile.isNone()) {
            return CompletableFuture.failedFuture(new FsException(
                    FsError.CORRUPT,
                    operation.subject() + ": column " + column + " has no datafile, but the file's length of " + length
                            + " bytes counts bytes of it"));
        }
        Question question = Question.ioServer(
                Kind.CHECKSUM,
                "checksum",
                datafile.owner(),
                ChecksumRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(info.handle().value())
                        .setStripSize(layout.striping().stripSize())
                        .build());
        return Futures.map(courier.ask(operation, question), (Reply reply) -> {
            reply.payload().release();
            ChecksumReply answer = (ChecksumReply) reply.body();
            long needed = layout.striping().datafileLength(column, length);
            long stripSize = layout.striping().stripSize();
            if (answer.getLength() < needed || answer.getStripsCount() < (needed + stripSize - 1) / stripSize) {
                throw new FsException(
                        FsError.CORRUPT,
                        operation.subject() + ": datafile " + datafile + " has " + answer.getLength() + " bytes and "
                                + answer.getStripsCount() + " strips, the file's length of " + length
                                + " bytes counts " + needed + " of it");
            }
            return answer;
        });
    }

    private CompletableFuture<Integer> compose(List<CompletableFuture<ChecksumReply>> columns) {
        Striping striping = layout.striping();
        long wholeStrips = length / striping.stripSize();
        Crc32cCombine append = Crc32cCombine.forSecond(striping.stripSize());
        int crc = 0;
        for (long strip = 0; strip < wholeStrips; strip++) {
            crc = append.combine(crc, stripCrc(columns, strip));
        }
        long tailBytes = length % striping.stripSize();
        if (tailBytes == 0) {
            return CompletableFuture.completedFuture(crc);
        }
        int whole = crc;
        long tailStart = length - tailBytes;
        int column = striping.column(tailStart);
        if (columns.get(column).join().getLength() == striping.datafileLength(column, length)) {
            return CompletableFuture.completedFuture(
                    Crc32cCombine.combine(whole, stripCrc(columns, wholeStrips), tailBytes));
        }
        return Futures.map(
                reads.fetch(tailStart, length), pieces -> Crc32cCombine.combine(whole, crcOf(pieces), tailBytes));
    }

    private int stripCrc(List<CompletableFuture<ChecksumReply>> columns, long strip) {
        int column = (int) (strip % layout.width());
        return columns.get(column).join().getStrips((int) (strip / layout.width()));
    }

    private static int crcOf(List<Piece> pieces) {
        CRC32C crc = new CRC32C();
        for (Piece piece : pieces) {
            crc.update(piece.bytes().nioBuffer());
            piece.release();
        }
        return (int) crc.getValue();
    }
}
