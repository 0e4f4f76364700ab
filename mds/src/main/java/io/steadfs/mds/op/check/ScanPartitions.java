package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.partition.MetCounts;
import io.steadfs.mds.state.RawPage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedPartition;
import io.steadfs.wire.proto.ScanPartitionsReply;
import io.steadfs.wire.proto.ScanPartitionsRequest;
import java.io.UncheckedIOException;

/**
 * Answers one page of what directories of this shard count, for a check of the file system. A row and the number of names
 * come from the same state of the shard. A page ends early after many entries were counted.
 */
public final class ScanPartitions extends TableScan<ScanPartitionsRequest> {
    /** Number of counted names after which a page ends. */
    private static final long MOST_COUNTED = 200_000;

    public ScanPartitions() {
        super(Kind.SCAN_PARTITIONS, "scan partitions");
    }

    @Override
    ScanPage page(ScanPartitionsRequest request, ReadView view) {
        return ScanPage.of(view, ShardTables.PARTITION, request.getAfter(), request.getLimit());
    }

    @Override
    MessageLite reply(ScanPartitionsRequest request, ScanPage page, Context context) {
        ScanPartitionsReply.Builder reply = ScanPartitionsReply.newBuilder();
        long counted = 0;
        for (RawPage.Row row : page.rows()) {
            if (counted > MOST_COUNTED) {
                break;
            }
            CheckedPartition partition = of(row, context);
            counted += partition.getCounted();
            reply.addPartitions(partition);
        }
        ScanPage done = page.first(reply.getPartitionsCount());
        return reply.setLast(done.last())
                .setMore(done.more())
                .addAllUnreadable(done.unreadable())
                .build();
    }

    private static CheckedPartition of(RawPage.Row row, Context context) {
        MetCounts met = MetCounts.of(row.key(), row.value());
        CheckedPartition.Builder partition = CheckedPartition.newBuilder()
                .setDirectory(met.directory().value())
                .setUnreadable(met.unreadable())
                .setKey(ByteString.copyFrom(row.key()));
        if (met.row().isPresent()) {
            partition
                    .setEntries(met.row().get().getEntries())
                    .setUnreachable(!isThere(met.directory(), context))
                    .setQueued(Unread.orElse(true, () -> DeletionQueue.hasTree(context.view(), met.directory())));
            count(met.directory(), context, partition);
        }
        return partition.build();
    }

    private static void count(Handle directory, Context context, CheckedPartition.Builder partition) {
        try {
            partition.setCounted(Dirents.count(context.view(), directory));
        } catch (UncheckedIOException e) {
            partition.setUnknown(true);
        }
    }

    private static boolean isThere(Handle directory, Context context) {
        // The scan of objects reports a directory that cannot be read.
        return Unread.orElse(
                true, () -> Directories.find(context.view(), directory).isPresent());
    }
}
