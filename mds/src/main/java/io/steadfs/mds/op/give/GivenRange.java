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
    /** Whether names can be given now. */
    enum Fit {
        FITS,
        /** More names than are given at once. */
        TOO_MANY,
        /** An intent holds one of them. */
        HELD,
        /** Nobody has looked. */
        UNKNOWN
    }

    /**
     * What a look at the names has met.
     *
     * @param names how many names were looked at; all of them if they fit
     */
    record Look(Fit fit, int names) {}

    /**
     * Looks whether the names can be given, in one message.
     *
     * @param mostBytes the most bytes of names and rows
     * @param mostNames the most names that are given at once
     */
    Look look(long mostBytes, int mostNames, ReadView view) {
        long bytes = 0;
        int names = 0;
        boolean isHeld = false;
        try (DirentScan scan = scan(view)) {
            while (scan.next()) {
                names++;
                bytes += scan.name().length() * 3L + scan.row().getSerializedSize();
                isHeld |= scan.row().hasLock();
                if (names > mostNames || bytes > mostBytes) {
                    return new Look(Fit.TOO_MANY, names);
                }
            }
        }
        return new Look(isHeld ? Fit.HELD : Fit.FITS, names);
    }

    /** The number of names, or {@code most} if there are more. */
    int count(int most, ReadView view) {
        int names = 0;
        try (DirentScan scan = scan(view)) {
            while (names < most && scan.next()) {
                names++;
            }
        }
        return names;
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

    DirentScan scan(ReadView view) {
        return Dirents.scan(view, directory, DirentPosition.before(range.firstHash()), range.lastHash());
    }
}
