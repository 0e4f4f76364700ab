package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ScrubStoreReply;
import io.steadfs.wire.proto.ScrubStoreRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Has a server read all rows and files of a store. Rows and files that the server cannot read become findings. */
final class StoreScan implements Stage {
    private final String server;
    /** The only table to scan. The value {@link RowTable#NONE} means all tables and files. */
    private final RowTable only;

    private final Scrubbed scrubbed;

    /** Asks the server to read the next part of the store. */
    interface Scrubbed {
        ScrubStoreReply ask(ScrubStoreRequest request) throws FsException;
    }

    private StoreScan(String server, RowTable only, Scrubbed scrubbed) {
        this.server = server;
        this.only = only;
        this.scrubbed = scrubbed;
    }

    /**
     * Scans only the extended attributes. The scan of objects counts extended attributes, but does not report
     * unreadable attributes.
     */
    static StoreScan ofXattrs(ScannedShard shard) {
        return ofShard(shard, RowTable.XATTR);
    }

    static StoreScan ofShard(ScannedShard shard) {
        return ofShard(shard, RowTable.NONE);
    }

    private static StoreScan ofShard(ScannedShard shard, RowTable only) {
        return new StoreScan(
                shard.name(), only, request -> shard.ask(Kind.SCRUB_STORE, request, ScrubStoreReply.class));
    }

    static StoreScan ofIoServer(CheckedServers servers, int id) {
        return new StoreScan(
                Finding.ioServer(id),
                RowTable.NONE,
                request -> servers.askIo(id, Kind.SCRUB_STORE, request, ScrubStoreReply.class));
    }

    @Override
    public String name() {
        return only == RowTable.NONE ? "store of " + server : "table " + only.label() + " of " + server;
    }

    /** The stored progress of this stage is the number of a table (4 bytes) and a key. */
    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            ScrubStoreRequest.Builder request = ScrubStoreRequest.newBuilder().setOnly(only.label());
            if (!key.isEmpty()) {
                request.setTable(key.asReadOnlyByteBuffer().getInt()).setAfter(key.substring(Integer.BYTES));
            }
            ScrubStoreReply reply = scrubbed.ask(request.build());
            reply.getUnreadableList().forEach(rows -> batch.found(Unread.rows(server, rows)));
            reply.getDamagedList().forEach(file -> batch.found(Unread.file(server, file)));
            ByteString table = ByteString.copyFrom(
                    ByteBuffer.allocate(Integer.BYTES).putInt(reply.getTable()).array());
            return new PagedScan.Looked(reply.getMore(), table.concat(reply.getAfter()), reply.getRows(), 0);
        });
    }
}
