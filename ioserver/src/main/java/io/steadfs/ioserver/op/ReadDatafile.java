package io.steadfs.ioserver.op;

import io.netty.buffer.Unpooled;
import io.steadfs.checksum.Chunks;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileView;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.ioserver.lane.DiskErrors;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.ReadReply;
import io.steadfs.wire.proto.ReadRequest;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * READ: returns the whole chunks that cover a range, with the checksums that were stored with them. The client compares
 * bytes and checksums. The bytes of a file go from the page cache to the socket.
 */
public final class ReadDatafile implements IoOperation {
    public static final int MOST_BYTES = 8 << 20;

    private final int serverId;
    private final VisibleDatafiles visible;
    private final OpenFiles files;
    private final DataFiles disk;

    public ReadDatafile(int serverId, VisibleDatafiles visible, OpenFiles files, DataFiles disk) {
        this.serverId = serverId;
        this.visible = visible;
        this.files = files;
        this.disk = disk;
    }

    @Override
    public void handle(Call call) {
        ReadRequest request = (ReadRequest) call.request().body();
        if (isRefused(call, request)) {
            return;
        }
        try {
            answer(call, request, new Handle(request.getDatafile()), new Handle(request.getMetafile()));
        } catch (IOException e) {
            refuse(call, request, e);
        }
    }

    /**
     * Answers the call at once if everything that it needs is in memory, so that no other thread must be woken. If
     * something is not in memory, this method does nothing and returns false.
     */
    boolean isAnsweredFromMemory(Call call) {
        ReadRequest request = (ReadRequest) call.request().body();
        Handle handle = new Handle(request.getDatafile());
        Optional<DatafileView> found = visible.findInMemory(handle);
        if (found.isEmpty()) {
            return false;
        }
        call.mark(Moment.STARTED);
        if (!isRefused(call, request)
                && check(call, found, handle, new Handle(request.getMetafile())).isPresent()) {
            try {
                call.reply(read(request, found.get()));
            } catch (IOException e) {
                refuse(call, request, e);
            }
        }
        return true;
    }

    private boolean isRefused(Call call, ReadRequest request) {
        Handle handle = new Handle(request.getDatafile());
        if (handle.owner() != serverId) {
            IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(handle, serverId));
            return true;
        }
        if (request.getLength() < 0 || request.getLength() > MOST_BYTES) {
            IoOperation.refuse(
                    call,
                    FsError.TOO_LARGE,
                    "read of " + Integer.toUnsignedString(request.getLength()) + " bytes, at most " + MOST_BYTES
                            + " go in one");
            return true;
        }
        if (request.getOffset() < 0 || request.getOffset() > DatafileRow.MOST_LENGTH) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "read at offset " + Long.toUnsignedString(request.getOffset()) + " of datafile " + handle);
            return true;
        }
        return false;
    }

    private void answer(Call call, ReadRequest request, Handle handle, Handle metafile) throws IOException {
        Optional<DatafileView> found = check(call, visible.find(handle), handle, metafile);
        while (found.isPresent()) {
            DatafileView view = found.get();
            Reply reply;
            try {
                reply = read(request, view);
            } catch (IOException e) {
                // A truncate or removal may have overtaken the view. If the view is still current, the disk has failed.
                found = check(call, visible.find(handle), handle, metafile);
                if (found.isPresent() && found.get().isLike(view)) {
                    throw e;
                }
                continue;
            }
            call.reply(reply);
            return;
        }
    }

    /**
     * Returns the datafile if it exists and may belong to the metafile. If the datafile does not exist or belongs to
     * another metafile, this method answers the call and returns empty.
     */
    static Optional<DatafileView> check(Call call, Optional<DatafileView> found, Handle handle, Handle metafile) {
        if (found.isEmpty()) {
            IoOperation.refuse(call, FsError.NO_SUCH_DATAFILE, "no datafile " + handle);
        } else if (!found.get().row().mayBeOf(metafile)) {
            IoOperation.refuse(
                    call,
                    FsError.NO_SUCH_DATAFILE,
                    "datafile " + handle + " is not of metafile " + metafile + ", but of "
                            + found.get().row().metafile());
            return Optional.empty();
        }
        return found;
    }

    private Reply read(ReadRequest request, DatafileView datafile) throws IOException {
        long begin = Chunks.floor(request.getOffset());
        long end = Math.min(
                datafile.length(), Chunks.count(request.getOffset() + request.getLength()) * Chunks.CHUNK_BYTES);
        ReadReply.Builder body = ReadReply.newBuilder().setOffset(begin).setDatafileLength(datafile.length());
        if (request.getLength() == 0 || request.getOffset() >= datafile.length()) {
            return Reply.ok(body.build());
        }
        int chunks = (int) (Chunks.count(end) - Chunks.chunkOf(begin));
        for (int checksum : datafile.checksums(Chunks.chunkOf(begin), chunks, visible.committed())) {
            body.addChecksums(checksum);
        }
        return Reply.ok(body.build(), bytes(datafile, begin, end - begin));
    }

    private Payload bytes(DatafileView datafile, long offset, long count) throws IOException {
        if (datafile.small().isPresent()) {
            return new Payload.Bytes(Unpooled.wrappedBuffer(datafile.small().get(), (int) offset, (int) count));
        }
        OpenFiles.Reference reference = files.take(datafile.handle());
        try {
            long size = reference.file().sizeBytes();
            if (size < offset + count) {
                throw new EOFException("the file has " + size + " bytes, the datafile " + datafile.length());
            }
            return reference.file().region(offset, count, reference::close);
        } catch (IOException e) {
            reference.close();
            throw e;
        }
    }

    private void refuse(Call call, ReadRequest request, IOException failure) {
        Handle handle = new Handle(request.getDatafile());
        String place = failure instanceof UnreadableDatafileException ? visible.place() : disk.locationOf(handle);
        IoOperation.refuse(
                call,
                DiskErrors.of(failure),
                "datafile " + handle + " in " + place + " of IO server " + serverId + ", read of "
                        + request.getLength() + " bytes at offset " + request.getOffset() + ": "
                        + DiskErrors.message(failure));
    }
}
