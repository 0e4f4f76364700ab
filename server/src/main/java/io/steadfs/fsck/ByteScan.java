package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DamagedDatafile;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.ScrubDatafilesReply;
import io.steadfs.wire.proto.ScrubDatafilesRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Has an IO server compare the bytes of its datafiles with their checksums. If bytes are bad, the server compares these
 * bytes a second time. Before and after the second comparison, this stage asks all shards which metafile lists the
 * datafile. If no metafile lists the datafile, there is no finding. If the answers before and after differ, there is no
 * finding either. Bad bytes after the end of a truncated file are no finding, because recovery will cut off these
 * bytes.
 */
final class ByteScan implements Stage {
    private final CheckedServers servers;
    private final int ioServer;

    ByteScan(CheckedServers servers, int ioServer) {
        this.servers = servers;
        this.ioServer = ioServer;
    }

    @Override
    public String name() {
        return "bytes of io-" + ioServer;
    }

    /** For the pace, each datafile and each 64 KiB of compared bytes count as one row. */
    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            ByteBuffer place = key.asReadOnlyByteBuffer();
            ScrubDatafilesReply reply = place.hasRemaining()
                    ? scrub(new Handle(place.getLong()), place.getLong(), Owners.last(ioServer))
                    : scrub(Owners.first(ioServer), 0, Owners.last(ioServer));
            look(reply.getDamagedList()).forEach(batch::found);
            return new PagedScan.Looked(
                    reply.getMore(),
                    place(new Handle(reply.getNext()), reply.getNextOffset()),
                    reply.getDatafiles() + reply.getBytes() / (64 << 10),
                    0);
        });
    }

    private static ByteString place(Handle next, long offset) {
        return ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(next.value())
                .putLong(offset)
                .flip());
    }

    private ScrubDatafilesReply scrub(Handle first, long offset, Handle last) throws FsException {
        return servers.askIo(
                ioServer,
                Kind.SCRUB_DATAFILES,
                ScrubDatafilesRequest.newBuilder()
                        .setFirst(first.value())
                        .setOffset(offset)
                        .setLast(last.value())
                        .build(),
                ScrubDatafilesReply.class);
    }

    /**
     * Checks bad datafiles a second time. Returns findings about the datafiles that are still bad and that a metafile
     * lists.
     */
    List<Finding> look(List<DamagedDatafile> damaged) throws FsException {
        List<Finding> findings = new ArrayList<>();
        if (damaged.isEmpty()) {
            return findings;
        }
        Claims before = claims(damaged);
        List<DamagedDatafile> still = new ArrayList<>();
        for (DamagedDatafile each : damaged) {
            Handle datafile = new Handle(each.getDatafile());
            still.addAll(scrub(datafile, each.getOffset(), datafile).getDamagedList());
        }
        Claims after = claims(damaged);
        for (DamagedDatafile each : still) {
            Handle datafile = new Handle(each.getDatafile());
            Optional<Claims.Claim> claim = before.of(datafile).stream()
                    .filter(Claims.Claim::isReal)
                    .filter(after.of(datafile)::contains)
                    .filter(found -> each.getDamaged() || counts(found.column(), each.getOffset()))
                    .findFirst();
            claim.ifPresent(found -> findings.add(Finding.of(
                            each.getDamaged() ? FindingKind.UNREADABLE_ROWS : FindingKind.CHECKSUM_FAILURE,
                            Finding.ioServer(ioServer),
                            datafile,
                            new Handle(found.column().getMetafile()),
                            found.words() + " from byte " + each.getOffset() + " of the datafile on: " + each.getWhat())
                    .ofColumn(
                            found.column().getIndex(),
                            each.getOffset(),
                            found.column().getVersion())));
        }
        return findings;
    }

    /** Whether the byte at this offset of the column's datafile belongs to the file. */
    static boolean counts(ListedColumn column, long offset) {
        return !column.hasEnd() || offset < column.getEnd();
    }

    private Claims claims(List<DamagedDatafile> damaged) throws FsException {
        return Claims.ask(
                servers,
                damaged.stream().map(DamagedDatafile::getDatafile).toList(),
                damaged.stream()
                        .filter(each -> each.getMetafile() != 0)
                        .map(each -> Claims.column(each.getDatafile(), each.getMetafile(), each.getIndex()))
                        .toList());
    }
}
