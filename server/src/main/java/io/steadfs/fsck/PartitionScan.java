package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedPartition;
import io.steadfs.wire.proto.ScanPartitionsReply;
import io.steadfs.wire.proto.ScanPartitionsRequest;
import java.io.IOException;

/** Compares the count in each partition of one shard with the names in it. A page is read at one moment, so any difference is a finding. */
final class PartitionScan implements Stage {
    private final CheckedServers servers;
    private final int shard;
    private final int pageRows;
    private final Sequences sequences;

    PartitionScan(CheckedServers servers, int shard, int pageRows, Sequences sequences) {
        this.servers = servers;
        this.shard = shard;
        this.pageRows = pageRows;
        this.sequences = sequences;
    }

    @Override
    public String name() {
        return "partitions of shard " + shard;
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        while (at.more()) {
            ScanPartitionsReply page = servers.askShard(
                    shard,
                    Kind.SCAN_PARTITIONS,
                    ScanPartitionsRequest.newBuilder()
                            .setAfter(at.last())
                            .setLimit(pageRows)
                            .build(),
                    ScanPartitionsReply.class);
            at = new ScanProgress(page.getMore(), page.getLast());
            long rows = 0;
            double share = 1;
            try (WorkBatch batch = work.batch()) {
                for (CheckedPartition each : page.getPartitionsList()) {
                    tell(each, batch);
                    rows += 1 + each.getCounted();
                    share = share(new Handle(each.getDirectory()));
                }
                page.getUnreadableList().forEach(each -> batch.found(Unread.rows(Finding.shard(shard), each)));
                batch.progress(name(), at.encode());
                batch.commit();
            }
            pace.did(rows, at.more() ? share : 1);
        }
    }

    private double share(Handle directory) {
        return directory.isOwnedByShard() && directory.shard() == shard ? sequences.share(directory) : 0;
    }

    private void tell(CheckedPartition partition, WorkBatch batch) {
        Handle directory = new Handle(partition.getDirectory());
        if (!partition.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.UNREADABLE_RECORD,
                            Finding.shard(shard),
                            Handle.NONE,
                            directory,
                            partition.getKey(),
                            Words.PARTITION + partition.getUnreadable())
                    .in(RowTable.PARTITION));
        } else if (partition.getUnreachable()) {
            batch.found(Finding.of(
                    FindingKind.UNREACHABLE_PARTITION,
                    Finding.shard(shard),
                    directory,
                    Handle.NONE,
                    "directory " + directory + " has a partition or names, and is not there"));
        } else if (partition.getEntries() != partition.getCounted()
                && !partition.getQueued()
                && !partition.getUnknown()) {
            batch.found(new Finding(
                            FindingKind.WRONG_COUNTER,
                            Finding.shard(shard),
                            directory,
                            Handle.NONE,
                            partition.getKey(),
                            partition.getCounted() + " names in partition " + partition.getPartition()
                                    + " of directory " + directory + ", its row says " + partition.getEntries())
                    .in(RowTable.PARTITION));
        }
    }
}
