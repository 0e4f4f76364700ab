package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ListedColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks for datafiles that metafiles list but whose IO server is not in the cluster. */
final class StrangeServers implements Stage {
    private static final int STEP = 10_000;

    private final CheckedServers servers;
    private final int pageRows;

    StrangeServers(CheckedServers servers, int pageRows) {
        this.servers = servers;
        this.pageRows = pageRows;
    }

    @Override
    public String name() {
        return "datafiles of no IO server";
    }

    /** A range of handles whose owners are not IO servers of the cluster. */
    private record Gap(Handle before, Handle last) {}

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        if (!at.more()) {
            return;
        }
        servers.refresh();
        for (int shard = 0; shard < servers.shards(); shard++) {
            for (Gap gap : gaps()) {
                look(shard, gap, work, pace);
            }
        }
        try (WorkBatch batch = work.batch()) {
            batch.progress(name(), new ScanProgress(false, ByteString.EMPTY).encode());
            batch.commit();
        }
    }

    private List<Gap> gaps() throws FsException {
        List<Gap> gaps = new ArrayList<>();
        long next = 0;
        for (int server : servers.ioServers()) {
            add(next, (long) server << 48, gaps);
            next = (long) (server + 1) << 48;
        }
        add(next, -1L, gaps);
        return gaps;
    }

    /** Adds the range of handles from the first bound, inclusive, to the second bound, exclusive. */
    private static void add(long from, long to, List<Gap> gaps) {
        if (Long.compareUnsigned(from, to) < 0) {
            gaps.add(new Gap(new Handle(from), new Handle(to - 1)));
        }
    }

    private void look(int shard, Gap gap, Work work, Pace pace) throws IOException {
        List<Finding> unread = new ArrayList<>();
        Pages<ListedColumn> rows = new Pages<>(
                after -> DatafileScan.listed(servers, shard, after, gap.last(), pageRows, unread::add),
                row -> new Handle(row.getDatafile()),
                gap.before());
        Optional<Handle> next = rows.handle();
        while (next.isPresent()) {
            long looked = 0;
            try (WorkBatch batch = work.batch()) {
                List<Finding> findings = new ArrayList<>();
                while (next.isPresent() && looked < STEP) {
                    Handle datafile = next.get();
                    rows.take(datafile)
                            .filter(row ->
                                    !row.getDamaged() && (row.getUnreadable().isEmpty() || row.getMetafile() == 0))
                            .ifPresent(row -> findings.add(found(shard, datafile, row)));
                    looked++;
                    next = rows.handle();
                }
                // An IO server may have joined the cluster since the scan of the page.
                servers.refresh();
                List<Integer> known = servers.ioServers();
                findings.stream()
                        .filter(each -> !known.contains(each.object().owner()))
                        .forEach(batch::found);
                batch.commit();
            }
            pace.did(looked, 0);
        }
        try (WorkBatch batch = work.batch()) {
            unread.forEach(batch::found);
            batch.commit();
        }
    }

    private static Finding found(int shard, Handle datafile, ListedColumn row) {
        Handle metafile = new Handle(row.getMetafile());
        FindingKind kind = !row.getUnreadable().isEmpty()
                ? FindingKind.UNREADABLE_RECORD
                : row.getAstray() ? FindingKind.STRAY_INDEX : FindingKind.MISSING_DATAFILE;
        String what = row.getUnreadable().isEmpty()
                ? "column " + row.getIndex() + " of metafile " + metafile + (row.getAstray() ? " is not it" : "")
                        + "; the cluster has no IO server " + datafile.owner()
                : Words.INDEX + row.getUnreadable();
        return Finding.of(kind, Finding.shard(shard), datafile, metafile, what)
                .in(kind == FindingKind.MISSING_DATAFILE ? RowTable.NONE : RowTable.DATAFILE)
                .ofColumn(row.getIndex(), 0, row.getVersion());
    }
}
