package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.lease.LeaseState;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.SurvivingRows;
import io.steadfs.wire.proto.ScanDatafilesReply;
import io.steadfs.wire.proto.ScanDatafilesRequest;
import io.steadfs.wire.proto.StoredDatafile;
import io.steadfs.wire.proto.UnreadableDatafiles;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * SCAN_DATAFILES: returns the server's records of its datafiles, for a check of the file system. A handle that is
 * leased without a datafile is included only if the request names it.
 */
public final class ScanDatafiles implements IoOperation {
    private static final int MOST = 10_000;

    private final int serverId;
    private final Store store;
    private final Leases leases;

    public ScanDatafiles(int serverId, Store store, Leases leases) {
        this.serverId = serverId;
        this.store = store;
        this.leases = leases;
    }

    @Override
    public void handle(Call call) {
        ScanDatafilesRequest request = (ScanDatafilesRequest) call.request().body();
        if (!OnLanes.checkCount(call, request.getDatafilesCount(), MOST)) {
            return;
        }
        ScanDatafilesReply.Builder reply = ScanDatafilesReply.newBuilder();
        if (request.getDatafilesCount() > 0) {
            request.getDatafilesList().forEach(value -> named(new Handle(value)).ifPresent(reply::addDatafiles));
            call.reply(Reply.ok(reply.build()));
            return;
        }
        Handle first = new Handle(request.getAfter() + 1);
        Handle last = new Handle(request.getLast());
        if (first.owner() != serverId || last.owner() != serverId || first.compareTo(last) > 0) {
            IoOperation.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "no range of handles of IO server " + serverId + ": " + first + " to " + last);
            return;
        }
        int limit = request.getLimit() <= 0 ? MOST : Math.min(MOST, request.getLimit());
        ReadView rows = store.committed();
        DatafileRows.Page page = DatafileRows.page(rows, first, last, limit);
        page.rows().forEach(found -> reply.addDatafiles(stored(rows, found)));
        page.gaps().forEach(gap -> reply.addUnreadable(unreadable(gap, last)));
        call.reply(Reply.ok(reply.setMore(page.more()).build()));
    }

    private static UnreadableDatafiles unreadable(SurvivingRows.Gap gap, Handle last) {
        return UnreadableDatafiles.newBuilder()
                .setFirst(above(gap.from()))
                .setLast(Math.min(above(gap.to()) - 1, last.value()))
                .setWhy(gap.why())
                .build();
    }

    /** The lowest handle whose key is not below the given key. */
    private static long above(byte[] key) {
        return ByteBuffer.wrap(Arrays.copyOf(key, Long.BYTES)).getLong() + (key.length > Long.BYTES ? 1 : 0);
    }

    private Optional<StoredDatafile> named(Handle datafile) {
        ReadView rows = store.committed();
        try {
            return DatafileRows.findLeased(rows, datafile, leases)
                    .map(row -> stored(rows, DatafileRows.Found.of(datafile, row)));
        } catch (UnreadableDatafileException e) {
            return Optional.of(stored(rows, DatafileRows.Found.of(datafile, e)));
        }
    }

    private StoredDatafile stored(ReadView rows, DatafileRows.Found found) {
        StoredDatafile.Builder stored = StoredDatafile.newBuilder()
                .setDatafile(found.datafile().value())
                .setLeased(leases.stateOf(found.datafile()) != LeaseState.NONE);
        if (found.row().isEmpty()) {
            return stored.setUnreadable(found.unreadable())
                    .setDamaged(found.damaged())
                    .build();
        }
        DatafileRow row = found.row().get();
        try {
            stored.setUnconfirmed(DatafileRows.isUnconfirmed(rows, found.datafile()));
        } catch (UnreadableDatafileException e) {
            stored.setUnreadable(String.valueOf(e.getMessage())).setDamaged(e.isDamage());
        }
        return stored.setMetafile(row.metafile().value())
                .setIndex(row.index())
                .setLength(row.length())
                .build();
    }
}
