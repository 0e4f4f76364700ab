package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentPosition;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;

/**
 * The names that a directory gives.
 *
 * @param directory the directory that has them
 * @param range the partition whose hashes they have
 */
record GivenRange(Handle directory, Partition range) {
    /** The most names that are given at once. While they are, requests that would change them are answered BUSY. */
    private static final int MOST_NAMES = 10_000;

    /**
     * Whether no intent holds one of the names, and they fit into one message.
     *
     * @param mostBytes the most bytes of names and rows
     */
    boolean canMove(long mostBytes, ReadView view) {
        long bytes = 0;
        int names = 0;
        try (DirentScan scan = scan(view)) {
            while (scan.next()) {
                names++;
                bytes += scan.name().length() * 3L + scan.row().getSerializedSize();
                if (scan.row().hasLock() || names > MOST_NAMES || bytes > mostBytes) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The names in the order of their hashes. */
    List<TakePartition.Name> names(ReadView view) {
        List<TakePartition.Name> names = new ArrayList<>();
        try (DirentScan scan = scan(view)) {
            while (scan.next()) {
                names.add(TakePartition.Name.newBuilder()
                        .setName(scan.name())
                        .setRow(scan.row().toByteString())
                        .build());
            }
        }
        return names;
    }

    private DirentScan scan(ReadView view) {
        return Dirents.scan(view, directory, DirentPosition.before(range.firstHash()), range.lastHash());
    }
}
