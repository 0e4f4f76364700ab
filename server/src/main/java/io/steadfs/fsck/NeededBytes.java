package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.SettleReply;
import io.steadfs.wire.proto.SettleRequest;

/**
 * How many bytes of a datafile its file needs: as many as the recorded length says. At an IO server that lost something, also as many as the
 * flushed length of an open file says. Otherwise the check would settle the server, and recovery would then cut the other columns to what is
 * left of this one.
 */
final class NeededBytes {
    private final boolean flushed;

    private NeededBytes(boolean flushed) {
        this.flushed = flushed;
    }

    /** @throws FsException if the server does not say whether it is settled */
    static NeededBytes at(CheckedServers servers, int ioServer) throws FsException {
        SettleReply reply =
                servers.askIo(ioServer, Kind.SETTLE_IO_SERVER, SettleRequest.getDefaultInstance(), SettleReply.class);
        return new NeededBytes(!reply.getUnsettled().isEmpty());
    }

    /** Bytes of the column's datafile. */
    long of(ListedColumn column) {
        return flushed ? Math.max(column.getLeastLength(), column.getFlushedLength()) : column.getLeastLength();
    }
}
