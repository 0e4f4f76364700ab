package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.partition.PartitionMap.Partition;

/**
 * One partition in the map of a directory (docs/decisions/0033-partitions.md).
 *
 * @param isStaged whether the shard is prepared for the partition, and does not own it yet
 */
public record MapEntry(Partition partition, boolean isStaged) {
    static MapEntry of(int number, MapRow row) {
        return new MapEntry(new Partition(number, row.getDepth(), new Handle(row.getHandle())), row.getStaged());
    }

    public int number() {
        return partition.number();
    }

    /** The directory that has the names of the partition. */
    public Handle handle() {
        return partition.handle();
    }

    public MapRow row() {
        return MapRow.newBuilder()
                .setDepth(partition.depth())
                .setHandle(handle().value())
                .setStaged(isStaged)
                .build();
    }
}
