package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.PartitionCounts;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.Maps;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListPartitionsReply;
import io.steadfs.wire.proto.ListPartitionsRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Answers the partitions of a directory, as its home shard knows them, with the number of names in each. */
public final class ListPartitions extends NamespaceQuery<ListPartitionsRequest> {
    public ListPartitions() {
        super(Kind.LIST_PARTITIONS);
    }

    @Override
    public MessageLite look(ListPartitionsRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        if (!walk.isDirectory()) {
            throw new Refused(FsError.NOT_A_DIRECTORY, walk.text() + " is a file");
        }
        DirectoryNode directory = walk.directoryNode();
        Permissions.requireListable(context.principal(), directory, walk.text());
        Map<Handle, Long> entries = PartitionCounts.names(directory, context);
        ListPartitionsReply.Builder reply = ListPartitionsReply.newBuilder();
        List<Partition> partitions = partitions(directory, context);
        Map<Handle, Integer> lowest = new HashMap<>();
        partitions.forEach(each -> lowest.merge(each.handle(), each.number(), Math::min));
        for (Partition each : partitions) {
            ListPartitionsReply.Partition.Builder told = reply.addPartitionsBuilder()
                    .setNumber(each.number())
                    .setDepth(each.depth())
                    .setShard(each.handle().shard());
            int with = Objects.requireNonNull(lowest.get(each.handle()));
            if (with == each.number()) {
                told.setEntries(entries.getOrDefault(each.handle(), 0L));
            } else {
                told.setCountedWith(with);
            }
        }
        return reply.build();
    }

    private static List<Partition> partitions(DirectoryNode directory, Context context) {
        return DirectoryNode.hasOnePartition(directory.row())
                ? List.of(new Partition(0, 0, directory.handle()))
                : Maps.whole(context.view(), directory.handle()).partitions();
    }
}
