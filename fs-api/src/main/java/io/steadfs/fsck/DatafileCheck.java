package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.ScanDatafilesReply;
import io.steadfs.wire.proto.ScanDatafilesRequest;
import io.steadfs.wire.proto.ScanListedReply;
import io.steadfs.wire.proto.ScanListedRequest;
import io.steadfs.wire.proto.StoredDatafile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares what all shards list with what each IO server has, datafile by datafile, while clients work. Every server streams in
 * handle order, so this is one merge, with a page of each stream in memory.
 *
 * <p>The streams are of different moments, so a difference is only a suspicion: {@link Recheck} decides.
 */
public final class DatafileCheck {
    private static final int BATCH = 500;
    private static final long SEQUENCES = 0xffff_ffff_ffffL;

    private final CheckedServers servers;
    private final Consumer<Finding> found;
    private final int pageRows;
    private long datafiles;
    private long suspected;

    /**
     * @param found told of each finding, in handle order for each IO server, about
     * @param pageRows of one page of a stream
     */
    public DatafileCheck(CheckedServers servers, Consumer<Finding> found, int pageRows) {
        this.servers = servers;
        this.found = found;
        this.pageRows = pageRows;
    }

    /** Datafiles looked at so far. */
    public long datafiles() {
        return datafiles;
    }

    /** Of those, the ones that were looked at again. */
    public long suspected() {
        return suspected;
    }

    /** @throws FsException if a server does not answer; what was found until then is found */
    public void run(int ioServer) throws FsException {
        Handle before = new Handle((long) ioServer << 48);
        Handle last = new Handle(before.value() | SEQUENCES);
        Pages<StoredDatafile> stored =
                new Pages<>(after -> stored(ioServer, after, last), row -> new Handle(row.getDatafile()), before);
        List<Pages<ListedColumn>> listed = new ArrayList<>();
        for (int shard = 0; shard < servers.shards(); shard++) {
            int number = shard;
            listed.add(new Pages<>(after -> listed(number, after, last), row -> new Handle(row.getDatafile()), before));
        }
        Recheck recheck = new Recheck(servers, ioServer, found);
        List<Handle> suspects = new ArrayList<>();
        Optional<Handle> next = least(stored, listed);
        while (next.isPresent()) {
            Handle datafile = next.get();
            datafiles++;
            Optional<StoredDatafile> there = stored.take(datafile);
            List<ListedColumn> claims = new ArrayList<>();
            for (Pages<ListedColumn> each : listed) {
                each.take(datafile).ifPresent(claims::add);
            }
            if (Suspicion.isSuspect(there, claims)) {
                suspects.add(datafile);
                suspected++;
            }
            if (suspects.size() == BATCH) {
                recheck.look(suspects);
                suspects.clear();
            }
            next = least(stored, listed);
        }
        recheck.look(suspects);
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

    private Pages.Page<StoredDatafile> stored(int ioServer, Handle after, Handle last) throws FsException {
        ScanDatafilesReply page = servers.askIo(
                ioServer,
                Kind.SCAN_DATAFILES,
                ScanDatafilesRequest.newBuilder()
                        .setAfter(after.value())
                        .setLast(last.value())
                        .setLimit(pageRows)
                        .build(),
                ScanDatafilesReply.class);
        return new Pages.Page<>(page.getDatafilesList(), page.getMore());
    }

    private Pages.Page<ListedColumn> listed(int shard, Handle after, Handle last) throws FsException {
        ScanListedReply page = servers.askShard(
                shard,
                Kind.SCAN_LISTED,
                ScanListedRequest.newBuilder()
                        .setAfter(after.value())
                        .setLast(last.value())
                        .setLimit(pageRows)
                        .build(),
                ScanListedReply.class);
        return new Pages.Page<>(page.getColumnsList(), page.getMore());
    }
}
