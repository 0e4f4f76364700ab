package io.steadfs.ioserver.op;

import io.steadfs.checksum.Chunks;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.DatafileView;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.ioserver.lane.DiskErrors;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.DamagedDatafile;
import io.steadfs.wire.proto.ScrubDatafilesReply;
import io.steadfs.wire.proto.ScrubDatafilesRequest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * SCRUB_DATAFILES: reads bytes and compares them with their checksums, for a check of the file system. One answer
 * covers about {@value #MOST_BYTES} bytes or {@value #MOST_DATAFILES} datafiles, so that other reads come in between.
 * If a datafile has a bad chunk, it is reported with its first bad chunk and not read further. A datafile whose row
 * cannot be read is skipped, because SCAN_DATAFILES reports it. A datafile is also reported if its small data or its
 * checksums are missing, cannot be read, or do not fit its row.
 */
public final class ScrubDatafiles implements IoOperation {
    static final int MOST_BYTES = 16 << 20;
    static final int MOST_DATAFILES = 1_000;

    private final int serverId;
    private final VisibleDatafiles visible;
    private final OpenFiles files;

    public ScrubDatafiles(int serverId, VisibleDatafiles visible, OpenFiles files) {
        this.serverId = serverId;
        this.visible = visible;
        this.files = files;
    }

    @Override
    public void handle(Call call) {
        ScrubDatafilesRequest request = (ScrubDatafilesRequest) call.request().body();
        Handle first = new Handle(request.getFirst());
        Handle last = new Handle(request.getLast());
        if (first.owner() != serverId || last.owner() != serverId || first.compareTo(last) > 0) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "no range of handles of IO server " + serverId + ": " + first + " to " + last);
            return;
        }
        if (request.getOffset() < 0 || request.getOffset() % Chunks.CHUNK_BYTES != 0) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "offset " + Long.toUnsignedString(request.getOffset()) + " is no multiple of " + Chunks.CHUNK_BYTES
                            + ", or no offset");
            return;
        }
        call.reply(Reply.ok(new Round(first, request.getOffset(), last).run()));
    }

    /** The work of one request. */
    private final class Round {
        private final Handle first;
        private final long offset;
        private final Handle last;
        private final ScrubDatafilesReply.Builder reply = ScrubDatafilesReply.newBuilder();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(Chunks.CHUNK_BYTES);
        private int datafiles;
        private long bytes;

        Round(Handle first, long offset, Handle last) {
            this.first = first;
            this.offset = offset;
            this.last = last;
        }

        ScrubDatafilesReply run() {
            Iterator<DatafileRows.Found> page = DatafileRows.page(visible.committed(), first, last, MOST_DATAFILES + 1)
                    .rows()
                    .iterator();
            while (page.hasNext()) {
                DatafileRows.Found found = page.next();
                Handle datafile = found.datafile();
                if (found.row().isEmpty()) {
                    continue;
                }
                long begin = datafile.equals(first) ? offset : 0;
                if (datafiles == MOST_DATAFILES || bytes >= MOST_BYTES) {
                    return goOn(datafile, begin);
                }
                long end = scrub(datafile, found.row().get(), begin);
                if (end >= 0) {
                    return goOn(datafile, end);
                }
                datafiles++;
            }
            return reply.setDatafiles(datafiles).setBytes(bytes).build();
        }

        private ScrubDatafilesReply goOn(Handle next, long nextOffset) {
            return reply.setMore(true)
                    .setNext(next.value())
                    .setNextOffset(nextOffset)
                    .setDatafiles(datafiles)
                    .setBytes(bytes)
                    .build();
        }

        /**
         * Compares the bytes of one datafile. Returns the offset at which the next request continues; negative if the
         * datafile is finished.
         */
        private long scrub(Handle datafile, DatafileRow row, long begin) {
            long position = begin;
            try {
                Optional<DatafileView> found = visible.find(datafile);
                while (found.isPresent() && position < found.get().length()) {
                    DatafileView view = found.get();
                    if (bytes >= MOST_BYTES) {
                        return position;
                    }
                    Optional<String> wrong = chunk(view, position);
                    if (wrong.isPresent()) {
                        // A truncate or removal may have overtaken the view. If the view is still current, the disk has
                        // failed.
                        found = visible.find(datafile);
                        if (found.isPresent() && found.get().isLike(view)) {
                            damaged(view, position, wrong.get());
                            return -1;
                        }
                        continue;
                    }
                    position += Chunks.CHUNK_BYTES;
                }
            } catch (UnreadableDatafileException e) {
                if (isStill(datafile, row)) {
                    unreadable(datafile, row, position, e);
                }
            }
            return -1;
        }

        /**
         * Whether the row is still the same. A changed row means that a write, truncate or removal has overtaken the
         * comparison. If the row cannot be read now, SCAN_DATAFILES reports it.
         */
        private boolean isStill(Handle datafile, DatafileRow row) {
            try {
                return DatafileRows.find(visible.committed(), datafile)
                        .filter(row::equals)
                        .isPresent();
            } catch (UnreadableDatafileException e) {
                return false;
            }
        }

        /** Describes the damage of a chunk; empty if the chunk is whole. */
        private Optional<String> chunk(DatafileView view, long position) throws UnreadableDatafileException {
            int count = (int) Math.min(Chunks.CHUNK_BYTES, view.length() - position);
            int expected = view.checksums(Chunks.chunkOf(position), 1, visible.committed())[0];
            CRC32C checksum = new CRC32C();
            try {
                checksum.update(read(view, position, count));
            } catch (IOException e) {
                return Optional.of(DiskErrors.message(e));
            }
            bytes += count;
            return (int) checksum.getValue() == expected
                    ? Optional.empty()
                    : Optional.of(String.format(
                            "%d bytes with checksum %08x, %08x was written", count, checksum.getValue(), expected));
        }

        private ByteBuffer read(DatafileView view, long position, int count) throws IOException {
            if (view.small().isPresent()) {
                return ByteBuffer.wrap(view.small().get(), (int) position, count);
            }
            try (OpenFiles.Reference reference = files.take(view.handle())) {
                if (reference.file().sizeBytes() < position + count) {
                    throw new EOFException(
                            "the file has " + reference.file().sizeBytes() + " bytes, the datafile " + view.length());
                }
                buffer.clear().limit(count);
                reference.file().read(buffer, position);
                return buffer.flip();
            }
        }

        private void unreadable(Handle datafile, DatafileRow row, long position, UnreadableDatafileException why) {
            reply.addDamaged(DamagedDatafile.newBuilder()
                    .setDatafile(datafile.value())
                    .setMetafile(row.metafile().value())
                    .setIndex(row.index())
                    .setOffset(position)
                    .setWhat(String.valueOf(why.getMessage()))
                    .setDamaged(why.isDamage()));
        }

        private void damaged(DatafileView view, long position, String what) {
            reply.addDamaged(DamagedDatafile.newBuilder()
                    .setDatafile(view.handle().value())
                    .setMetafile(view.row().metafile().value())
                    .setIndex(view.row().index())
                    .setOffset(position)
                    .setWhat(what));
        }
    }
}
