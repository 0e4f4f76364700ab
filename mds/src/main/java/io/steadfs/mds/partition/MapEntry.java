package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.Optional;

/**
 * One partition in the map of a directory (docs/decisions/0033-partitions.md).
 *
 * @param isStaged whether the shard is prepared for the partition, and does not own it yet
 * @param lock the slot that holds the entry for a hand over
 * @param role with a lock, what becomes of the partition
 */
public record MapEntry(Partition partition, boolean isStaged, Optional<LockRow> lock, MapRow.Role role) {
    public MapEntry(Partition partition, boolean isStaged) {
        this(partition, isStaged, Optional.empty(), MapRow.Role.GIVES);
    }

    static MapEntry of(int number, MapRow row) {
        return new MapEntry(
                new Partition(number, row.getDepth(), new Handle(row.getHandle())),
                row.getStaged(),
                row.hasLock() ? Optional.of(row.getLock()) : Optional.empty(),
                row.getRole());
    }

    public int number() {
        return partition.number();
    }

    /** The directory that has the names of the partition. */
    public Handle handle() {
        return partition.handle();
    }

    /** Whether a hand over that holds the entry gives names with this hash to another partition. */
    public boolean isGiven(long hash) {
        if (lock.isEmpty()) {
            return false;
        }
        return switch (role) {
            case GIVES -> partition.upperHalf(handle()).has(hash);
            case ENDS -> partition.has(hash);
            case STAYS, UNRECOGNIZED -> false;
        };
    }

    public MapEntry lockedBy(LockRow slot) {
        return lockedBy(slot, MapRow.Role.GIVES);
    }

    public MapEntry lockedBy(LockRow slot, MapRow.Role newRole) {
        return new MapEntry(partition, isStaged, Optional.of(slot), newRole);
    }

    public MapEntry unlocked() {
        return new MapEntry(partition, isStaged);
    }

    public MapRow row() {
        MapRow.Builder row = MapRow.newBuilder()
                .setDepth(partition.depth())
                .setHandle(handle().value())
                .setStaged(isStaged)
                .setRole(role);
        lock.ifPresent(row::setLock);
        return row.build();
    }
}
