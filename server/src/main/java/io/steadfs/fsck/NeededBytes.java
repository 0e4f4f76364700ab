package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.SettleReply;
import io.steadfs.wire.proto.SettleRequest;

/**
 * Computes how many bytes a datafile must have. For a closed file, the recorded length of the file determines the
 * number. If the IO server may have lost data, the flushed length of an open file counts too, and the larger number is
 * needed. If the flushed length did not count, a check could settle an IO server although flushed bytes are missing.
 * Recovery would then cut the file's other columns to match the short column.
 */
final class NeededBytes {
    private final boolean flushed;

    private NeededBytes(boolean flushed) {
        this.flushed = flushed;
    }

    /** Asks the IO server whether its store is settled. @throws FsException if the server does not answer */
    static NeededBytes at(CheckedServers servers, int ioServer) throws FsException {
        SettleReply reply =
                servers.askIo(ioServer, Kind.SETTLE_IO_SERVER, SettleRequest.getDefaultInstance(), SettleReply.class);
        return new NeededBytes(!reply.getUnsettled().isEmpty());
    }

    /** The smallest number of bytes that the column's datafile must have. */
    long of(ListedColumn column) {
        return flushed ? Math.max(column.getLeastLength(), column.getFlushedLength()) : column.getLeastLength();
    }
}
