package io.steadfs.ioserver.op;

import io.steadfs.checksum.Chunks;
import io.steadfs.checksum.Crc32cCombine;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileView;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ChecksumReply;
import io.steadfs.wire.proto.ChecksumRequest;
import java.util.Optional;

/**
 * CHECKSUM: answers with the CRC32C of each strip of a datafile, combined from the stored checksums of the chunks. No
 * data is read.
 */
public final class ChecksumDatafile implements IoOperation {
    private static final long MOST_STRIPS = 1 << 20;
    private static final Crc32cCombine WHOLE_CHUNK = Crc32cCombine.forSecond(Chunks.CHUNK_BYTES);

    private final int serverId;
    private final VisibleDatafiles visible;

    public ChecksumDatafile(int serverId, VisibleDatafiles visible) {
        this.serverId = serverId;
        this.visible = visible;
    }

    @Override
    public void handle(Call call) {
        ChecksumRequest request = (ChecksumRequest) call.request().body();
        Handle handle = new Handle(request.getDatafile());
        int stripSize = request.getStripSize();
        if (handle.owner() != serverId) {
            IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(handle, serverId));
            return;
        }
        if (stripSize <= 0 || stripSize % Chunks.CHUNK_BYTES != 0) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "strip size " + Integer.toUnsignedString(stripSize) + " is no multiple of " + Chunks.CHUNK_BYTES);
            return;
        }
        Handle metafile = new Handle(request.getMetafile());
        try {
            answer(call, handle, metafile, stripSize);
        } catch (UnreadableDatafileException e) {
            IoOperation.refuse(call, FsError.CORRUPT, visible.place() + ": " + e.getMessage());
        }
    }

    private void answer(Call call, Handle handle, Handle metafile, int stripSize) throws UnreadableDatafileException {
        Optional<DatafileView> found = ReadDatafile.check(call, visible.findFacts(handle), handle, metafile);
        while (found.isPresent()) {
            DatafileView view = found.get();
            Reply reply;
            try {
                reply = compose(stripSize, view);
            } catch (UnreadableDatafileException e) {
                // A truncate or removal may have overtaken the view. If the view is still current, the store is
                // damaged.
                found = ReadDatafile.check(call, visible.findFacts(handle), handle, metafile);
                if (found.isPresent() && found.get().isLike(view)) {
                    throw e;
                }
                continue;
            }
            call.reply(reply);
            return;
        }
    }

    private Reply compose(int stripSize, DatafileView datafile) throws UnreadableDatafileException {
        long strips = (datafile.length() + stripSize - 1) / stripSize;
        if (strips > MOST_STRIPS) {
            return Reply.refused(
                    Kind.CHECKSUM,
                    FsError.TOO_LARGE,
                    "datafile " + datafile.handle() + " has " + strips + " strips, at most " + MOST_STRIPS
                            + " go in one reply");
        }
        ChecksumReply.Builder reply = ChecksumReply.newBuilder().setLength(datafile.length());
        for (long strip = 0; strip < strips; strip++) {
            reply.addStrips(compose(datafile, strip * stripSize, Math.min(datafile.length(), (strip + 1) * stripSize)));
        }
        return Reply.ok(reply.build());
    }

    private int compose(DatafileView datafile, long begin, long end) throws UnreadableDatafileException {
        int chunks = (int) (Chunks.count(end) - Chunks.chunkOf(begin));
        int[] checksums = datafile.checksums(Chunks.chunkOf(begin), chunks, visible.committed());
        int composed = 0;
        long position = begin;
        for (int checksum : checksums) {
            long length = Math.min(Chunks.CHUNK_BYTES, end - position);
            composed = length == Chunks.CHUNK_BYTES
                    ? WHOLE_CHUNK.combine(composed, checksum)
                    : Crc32cCombine.combine(composed, checksum, length);
            position += length;
        }
        return composed;
    }
}
