package io.steadfs.it.maps;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.state.ShardTables;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What can be wrong with the partitions of one directory, and what a check says of it. D is the directory, P1 to P7 are
 * its partitions, N is a handle that nobody had before, and NAME is any name.
 */
enum MapDamage {
    SHARD_LACKS_ENTRY(d -> d.removeEntry(d.at(1), 1), Where.IN_PLACE, Told.UNMAPPED),
    SHARD_HAS_WIDER_RANGE(
            d -> d.setEntry(d.at(1), 1, SpreadDirectory.DEPTH - 1, d.partition(1)), Where.IN_PLACE, Told.UNMAPPED),
    SHARD_HAS_NARROWER_RANGE(
            d -> d.setEntry(d.at(1), 1, SpreadDirectory.DEPTH + 1, d.partition(1)),
            Where.IN_PLACE,
            Told.UNMAPPED,
            "misplaced-dirent: NAME in directory P1: its hash is not of partition 1 of directory D"),
    SHARD_LEADS_ELSEWHERE(
            d -> d.setEntry(d.at(1), 1, SpreadDirectory.DEPTH, d.nobodys(1)),
            Where.IN_PLACE,
            Told.UNMAPPED,
            "damaged-map: partition 1 of directory D: its partition is not there"),
    SHARD_ENTRY_UNREADABLE(d -> d.at(1).put(ShardTables.MAP, key(d), new byte[] {-1}), Where.IN_PLACE, Told.UNREADABLE),
    WRONG_NUMBER(
            d -> d.setRow(
                    d.partition(1), partOf(d, row -> row.getPartOfBuilder().setPartition(2))),
            Where.IN_PLACE,
            Told.UNMAPPED),

    NAMES_IN_PARTITION_OF_THE_SHARD(
            d -> d.move(d.names(1), d.partition(4)),
            Where.IN_PLACE,
            "misplaced-dirent: NAME in directory P4: its hash is not of partition 4 of directory D"),
    NAMES_IN_PARTITION_ELSEWHERE(d -> d.move(d.names(1), d.partition(2)), Where.IN_PLACE, Told.MISPLACED),
    NAMES_IN_PARTITION_OF_HOME(
            d -> d.move(d.names(1), d.handle()),
            Where.IN_PLACE,
            "misplaced-dirent: NAME in directory D: its hash is not of partition 0 of directory D"),
    NAMES_IN_TWO_PARTITIONS(
            d -> d.names(1).forEach(each -> d.copy(each, d.partition(2))),
            Where.IN_PLACE,
            Told.MISPLACED,
            "linked-twice: NAME in directory P1 and NAME in directory P2"),

    TWO_OWNERS_ON_TWO_SHARDS(
            d -> {
                Handle other = d.pretender(2);
                d.setEntry(d.at(2), 1, SpreadDirectory.DEPTH, other);
                d.move(d.someNames(1), other);
            },
            Where.SOME_IN_LOST_AND_FOUND,
            Told.LOST_1),
    TWO_OWNERS_ON_ONE_SHARD(
            d -> {
                Handle other = d.pretender(1);
                d.setEntry(d.at(1), 1, SpreadDirectory.DEPTH, other);
                d.move(d.someNames(1), other);
            },
            Where.SOME_IN_LOST_AND_FOUND,
            Told.LOST_1,
            Told.UNMAPPED),
    TWO_ENTRIES_WITH_ONE_RANGE(
            d -> d.setEntry(d.home(), 1, SpreadDirectory.DEPTH - 1, d.partition(1)),
            Where.IN_PLACE,
            "damaged-map: directory D has a damaged map: partition 5 of directory D has hashes that another one has, too,"
                    + " from a000000000000000 on",
            Told.UNMAPPED),
    TWO_ENTRIES_OF_ONE_PARTITION(
            d -> d.setEntry(d.home(), 5, SpreadDirectory.DEPTH, d.partition(1)),
            Where.IN_PLACE,
            Told.LOST_5,
            Told.UNMAPPED),
    HAND_OVER_NOT_IN_MAP(
            d -> {
                d.removeEntry(d.home(), 5);
                d.setEntry(d.home(), 1, SpreadDirectory.DEPTH - 1, d.partition(1));
            },
            Where.IN_PLACE,
            Told.LOST_5,
            Told.UNMAPPED),

    HOLE(
            d -> d.removeEntry(d.home(), 1),
            Where.IN_PLACE,
            Told.hole("8000000000000000", "9fffffffffffffff"),
            Told.LOST_1),
    HOLE_OF_HOME_SHARD(
            d -> d.removeEntry(d.home(), 3),
            Where.IN_PLACE,
            Told.hole("c000000000000000", "dfffffffffffffff"),
            Told.lost(3)),
    HOLE_OF_DIRECTORY_ITSELF(
            d -> d.removeEntry(d.home(), 0), Where.IN_PLACE, Told.hole("0000000000000000", "1fffffffffffffff")),
    HOLE_AND_SHARD_LACKS_ENTRY(
            d -> {
                d.removeEntry(d.at(1), 1);
                d.removeEntry(d.home(), 1);
            },
            Where.IN_PLACE,
            Told.hole("8000000000000000", "9fffffffffffffff"),
            Told.LOST_1),
    HOLE_OF_TWO_AND_SHARDS_LACK_ENTRIES(
            d -> {
                d.removeEntry(d.at(1), 1);
                d.removeEntry(d.at(5), 5);
                d.removeEntry(d.home(), 1);
                d.removeEntry(d.home(), 5);
            },
            Where.IN_PLACE,
            Told.hole("8000000000000000", "bfffffffffffffff"),
            Told.LOST_1,
            Told.LOST_5),
    NO_MAP(
            MapDamage::removeMap,
            Where.IN_PLACE,
            "damaged-map: directory D has no map, though its row says that it has one",
            Told.LOST_1,
            Told.lost(2),
            Told.lost(3),
            Told.lost(4),
            Told.LOST_5,
            Told.lost(6),
            Told.lost(7)),
    NO_MAP_AND_NO_MARK(
            d -> {
                removeMap(d);
                d.setRow(
                        d.handle(),
                        d.row(d.handle()).toBuilder().setSplit(false).build());
            },
            Where.SOME_IN_LOST_AND_FOUND,
            Told.LOST_1,
            Told.lost(2),
            Told.lost(3),
            Told.lost(4),
            Told.LOST_5,
            Told.lost(6),
            Told.lost(7)),
    NO_MARK(
            d -> d.setRow(
                    d.handle(), d.row(d.handle()).toBuilder().setSplit(false).build()),
            Where.IN_PLACE,
            "damaged-map: directory D has a map that its row does not know"),
    ENTRY_UNREADABLE(
            d -> d.home().put(ShardTables.MAP, key(d), new byte[] {-1}), Where.IN_PLACE, Told.LOST_1, Told.UNREADABLE),

    ENTRY_LEADS_NOWHERE(
            d -> d.setEntry(d.home(), 1, SpreadDirectory.DEPTH, d.nobodys(1)),
            Where.IN_PLACE,
            "damaged-map: partition 1 of directory D leads to directory N, which is not there",
            Told.LOST_1),
    ENTRY_LEADS_TO_DIRECTORY(
            d -> d.setEntry(d.home(), 1, SpreadDirectory.DEPTH, d.nobodysDirectory(1)),
            Where.IN_PLACE,
            "damaged-map: partition 1 of directory D leads to directory N, which is no partition",
            Told.LOST_1),
    PARTITION_LOST(
            d -> {
                d.fileNames(1).forEach(each -> new DirentGone(each).replay(d.at(1)));
                d.move(d.names(1), d.partition(4));
                d.lose(1);
            },
            Where.SOME_IN_LOST_AND_FOUND,
            Told.NOT_THERE,
            "misplaced-dirent: NAME in directory P4: its hash is not of partition 4 of directory D"),
    PARTITION_LOST_BUT_FOR_NAMES(d -> d.lose(1), Where.IN_PLACE, Told.NOT_THERE, Told.unreachable(1)),
    PARTITION_OF_HOME_SHARD_LOST_BUT_FOR_NAMES(
            d -> d.lose(3),
            Where.SOME_IN_LOST_AND_FOUND,
            Told.hole("c000000000000000", "dfffffffffffffff"),
            Told.unreachable(3)),
    ROW_OF_PARTITION_LOST(
            d -> new DirectoryGone(d.partition(1)).replay(d.at(1)),
            Where.IN_PLACE,
            "damaged-map: partition 1 of directory D: its partition is not there",
            Told.NOT_THERE,
            Told.unreachable(1)),
    COUNTS_OF_PARTITION_LOST(
            d -> new CountsGone(d.partition(1)).replay(d.at(1)),
            Where.IN_PLACE,
            "unpartitioned-directory: directory P1 has no row with its counts"),
    ROW_OF_DIRECTORY_LOST(
            d -> new DirectoryGone(d.handle()).replay(d.home()),
            Where.IN_PLACE,
            "damaged-map: partition 0 of directory D: its directory is not there",
            "damaged-map: partition 1 of directory D: its directory is not there",
            "damaged-map: partition 2 of directory D: its directory is not there",
            "damaged-map: partition 3 of directory D: its directory is not there",
            "damaged-map: partition 4 of directory D: its directory is not there",
            "damaged-map: partition 5 of directory D: its directory is not there",
            "damaged-map: partition 6 of directory D: its directory is not there",
            "damaged-map: partition 7 of directory D: its directory is not there",
            "dangling-dirent: NAME in directory ROOT leads to directory D, which is not there",
            "unreachable-partition: directory D has a partition or names, and is not there"),
    LEFT_PREPARED(
            d -> d.setRow(
                    d.partition(1), partOf(d, row -> row.getPartOfBuilder().setStaged(true))),
            Where.IN_PLACE,
            "damaged-map: directory P1 has a mark that an operation prepared it, and no such operation");

    /** Where what was in the directory is after the repair. */
    private enum Where {
        IN_PLACE,
        SOME_IN_LOST_AND_FOUND
    }

    /** Findings of several kinds of damage. */
    private static final class Told {
        static final String UNMAPPED =
                "unmapped-partition: partition 1 of directory D is P1, whose shard says otherwise";
        static final String UNREADABLE =
                "unreadable-record: entry of a map: entry of partition 1 in the map of directory D cannot be decoded";
        static final String MISPLACED =
                "misplaced-dirent: NAME in directory P2: its hash is not of partition 2 of directory D";
        static final String NOT_THERE =
                "damaged-map: partition 1 of directory D leads to directory P1, which is not there";
        static final String LOST_1 = lost(1);
        static final String LOST_5 = lost(5);

        static String lost(int number) {
            return "lost-partition: partition " + number + " of directory D, whose map does not lead to it";
        }

        static String unreachable(int number) {
            return "unreachable-partition: directory P" + number + " has a partition or names, and is not there";
        }

        static String hole(String first, String last) {
            return "damaged-map: directory D has a damaged map: no partition of directory D has the hashes " + first
                    + " to " + last;
        }
    }

    @SuppressWarnings("ImmutableEnumChecker")
    private final Consumer<SpreadDirectory> plant;

    private final Where where;

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> told;

    MapDamage(Consumer<SpreadDirectory> plant, Where where, String... told) {
        this.plant = plant;
        this.where = where;
        this.told = List.of(told);
    }

    /** Name of the directory in the root. */
    String directory() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    void plant(SpreadDirectory directory) {
        plant.accept(directory);
    }

    /** What a check says of it, without repetitions. */
    Set<String> told() {
        return new TreeSet<>(told);
    }

    /** Whether all names are in the directory again after the repair. */
    boolean isRepairedInPlace() {
        return where == Where.IN_PLACE;
    }

    private static void removeMap(SpreadDirectory directory) {
        for (int number = 0; number < SpreadDirectory.PARTITIONS; number++) {
            directory.removeEntry(directory.home(), number);
        }
    }

    private static DirectoryRow partOf(SpreadDirectory directory, Consumer<DirectoryRow.Builder> change) {
        DirectoryRow.Builder row = directory.row(directory.partition(1)).toBuilder();
        change.accept(row);
        return row.build();
    }

    private static byte[] key(SpreadDirectory directory) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(directory.handle().value())
                .putInt(1)
                .array();
    }
}
