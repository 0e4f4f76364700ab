package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.ScanDatafilesReply;
import io.steadfs.wire.proto.ScanDatafilesRequest;
import io.steadfs.wire.proto.ScanListedReply;
import io.steadfs.wire.proto.ScanListedRequest;
import io.steadfs.wire.proto.StoredDatafile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares the datafiles that all shards list with the datafiles that one IO server has. Every server sends its rows in
 * handle order. So this stage merges the rows of all servers, and keeps only one page of each server in memory.
 *
 * <p>The servers read their rows at different moments, so a difference is only a suspicion. {@link DatafileRecheck}
 * decides about each suspicion before the stage stores its progress.
 */
final class DatafileScan implements Stage {
    private static final int SUSPECTS = 500;
    private static final int STEP = 10_000;

    private final CheckedServers servers;
    private final int ioServer;
    private final int pageRows;
    /** Findings about unreadable rows that are not stored yet. */
    private final List<Finding> unread = new ArrayList<>();

    DatafileScan(CheckedServers servers, int ioServer, int pageRows) {
        this.servers = servers;
        this.ioServer = ioServer;
        this.pageRows = pageRows;
    }

    @Override
    public String name() {
        return "datafiles of io-" + ioServer;
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        if (!at.more()) {
            return;
        }
        Handle before = at.last().isEmpty()
                ? Owners.first(ioServer)
                : Work.handleIn(at.last().toByteArray());
        Handle last = Owners.last(ioServer);
        NeededBytes needed = NeededBytes.at(servers, ioServer);
        Pages<StoredDatafile> stored =
                new Pages<>(after -> stored(after, last), row -> new Handle(row.getDatafile()), before);
        List<Pages<ListedColumn>> listed = new ArrayList<>();
        for (int shard = 0; shard < servers.shards(); shard++) {
            int number = shard;
            listed.add(new Pages<>(
                    after -> listed(servers, number, after, last, pageRows, unread::add),
                    row -> new Handle(row.getDatafile()),
                    before));
        }
        DatafileRecheck recheck = new DatafileRecheck(servers, ioServer, needed);
        List<Handle> suspects = new ArrayList<>();
        Handle done = before;
        long looked = 0;
        Optional<Handle> next = least(stored, listed);
        while (next.isPresent()) {
            Handle datafile = next.get();
            Optional<StoredDatafile> there = stored.take(datafile);
            List<ListedColumn> claims = new ArrayList<>();
            for (Pages<ListedColumn> each : listed) {
                each.take(datafile).ifPresent(claims::add);
            }
            if (Suspicion.isSuspect(there, claims, listed.size(), needed)) {
                suspects.add(datafile);
            }
            done = datafile;
            looked++;
            if (suspects.size() == SUSPECTS || looked == STEP) {
                note(work, recheck, suspects, new ScanProgress(true, key(done)));
                pace.did(looked, 0);
                looked = 0;
            }
            next = leastOrLook(stored, listed, work, recheck, suspects, done);
        }
        note(work, recheck, suspects, new ScanProgress(false, key(done)));
        pace.did(looked, 1);
    }

    /**
     * Returns the next datafile. If a server no longer answers, this method first looks again at the suspects found so
     * far, if possible, and then throws.
     */
    private Optional<Handle> leastOrLook(
            Pages<StoredDatafile> stored,
            List<Pages<ListedColumn>> listed,
            Work work,
            DatafileRecheck recheck,
            List<Handle> suspects,
            Handle done)
            throws IOException {
        try {
            return least(stored, listed);
        } catch (FsException e) {
            try {
                note(work, recheck, suspects, new ScanProgress(true, key(done)));
            } catch (FsException alsoNot) {
                e.addSuppressed(alsoNot);
            }
            throw e;
        }
    }

    private void note(Work work, DatafileRecheck recheck, List<Handle> suspects, ScanProgress progress)
            throws IOException {
        try (WorkBatch batch = work.batch()) {
            recheck.look(suspects).forEach(batch::found);
            unread.forEach(batch::found);
            batch.progress(name(), progress.encode());
            batch.commit();
        }
        suspects.clear();
        unread.clear();
    }

    private static ByteString key(Handle handle) {
        return ByteString.copyFrom(Work.key(handle));
    }

    private static Optional<Handle> least(Pages<StoredDatafile> stored, List<Pages<ListedColumn>> listed)
            throws FsException {
        Optional<Handle> least = stored.handle();
        for (Pages<ListedColumn> each : listed) {
            Optional<Handle> handle = each.handle();
            if (least.isEmpty() || (handle.isPresent() && handle.get().compareTo(least.get()) < 0)) {
                least = handle;
            }
        }
        return least;
    }

    private Pages.Page<StoredDatafile> stored(Handle after, Handle last) throws FsException {
        ScanDatafilesReply page = servers.askIo(
                ioServer,
                Kind.SCAN_DATAFILES,
                ScanDatafilesRequest.newBuilder()
                        .setAfter(after.value())
                        .setLast(last.value())
                        .setLimit(pageRows)
                        .build(),
                ScanDatafilesReply.class);
        page.getUnreadableList()
                .forEach(gap -> unread.add(Unread.handles(
                        Finding.ioServer(ioServer), RowTable.DATAFILE, gap.getFirst(), gap.getLast(), gap.getWhy())));
        return new Pages.Page<>(page.getDatafilesList(), page.getMore());
    }

    /**
     * Asks a shard for one page of the datafiles that its metafiles list.
     *
     * @param unread receives findings about rows of the index that the shard cannot read
     */
    static Pages.Page<ListedColumn> listed(
            CheckedServers servers, int shard, Handle after, Handle last, int rows, Consumer<Finding> unread)
            throws FsException {
        ScanListedReply page = servers.askShard(
                shard,
                Kind.SCAN_LISTED,
                ScanListedRequest.newBuilder()
                        .setAfter(after.value())
                        .setLast(last.value())
                        .setLimit(rows)
                        .build(),
                ScanListedReply.class);
        page.getUnreadableList()
                .forEach(gap -> unread.accept(Unread.handles(
                        Finding.shard(shard), RowTable.DATAFILE, gap.getFirst(), gap.getLast(), gap.getWhy())));
        return new Pages.Page<>(page.getColumnsList(), page.getMore());
    }
}
