package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedPartition;
import io.steadfs.wire.proto.ScanPartitionsReply;
import io.steadfs.wire.proto.ScanPartitionsRequest;
import java.io.IOException;

/**
 * Compares the number of names that each partition of one shard records with the names in the partition. The shard
 * reads a page at one moment, so any difference is a finding.
 */
record PartitionScan(ScannedShard shard, Sequences sequences) implements Stage {
    @Override
    public String name() {
        return "partitions of shard " + shard.number();
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            ScanPartitionsReply page = shard.ask(
                    Kind.SCAN_PARTITIONS,
                    ScanPartitionsRequest.newBuilder()
                            .setAfter(key)
                            .setLimit(shard.pageRows())
                            .build(),
                    ScanPartitionsReply.class);
            long rows = 0;
            double share = 1;
            for (CheckedPartition each : page.getPartitionsList()) {
                tell(each, batch);
                rows += 1 + each.getCounted();
                share = sequences.share(shard.number(), new Handle(each.getDirectory()));
            }
            page.getUnreadableList().forEach(each -> batch.found(Unread.rows(shard.name(), each)));
            return new PagedScan.Looked(page.getMore(), page.getLast(), rows, share);
        });
    }

    /** Makes a finding: the directory does not exist, although the shard has a partition or names of the directory. */
    static Finding unreachable(ScannedShard shard, Handle directory) {
        return Finding.of(
                FindingKind.UNREACHABLE_PARTITION,
                shard.name(),
                directory,
                Handle.NONE,
                "directory " + directory + " has a partition or names, and is not there");
    }

    private void tell(CheckedPartition partition, WorkBatch batch) {
        Handle directory = new Handle(partition.getDirectory());
        if (!partition.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.UNREADABLE_RECORD,
                            shard.name(),
                            Handle.NONE,
                            directory,
                            partition.getKey(),
                            Words.PARTITION + partition.getUnreadable())
                    .in(RowTable.PARTITION));
        } else if (partition.getUnreachable()) {
            batch.found(unreachable(shard, directory));
        } else if (partition.getEntries() != partition.getCounted()
                && !partition.getQueued()
                && !partition.getUnknown()) {
            batch.found(new Finding(
                            FindingKind.WRONG_COUNTER,
                            shard.name(),
                            directory,
                            Handle.NONE,
                            partition.getKey(),
                            partition.getCounted() + " names in directory " + directory + ", its row says "
                                    + partition.getEntries())
                    .in(RowTable.PARTITION));
        }
    }
}
