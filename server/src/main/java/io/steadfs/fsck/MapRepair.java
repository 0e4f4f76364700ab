package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.MendMap;
import io.steadfs.wire.proto.MendMapEntry;
import io.steadfs.wire.proto.MendPartition;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.NewMapEntry;
import io.steadfs.wire.proto.ScanEntriesReply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Repairs the maps of directories with several partitions. A partition that exists keeps its names and goes back into
 * the map, where that is possible. Only what the map and all shards lack is replaced by an empty partition.
 */
final class MapRepair {
    private static final int PAGE = 5_000;

    private static final String NOT_REPLACED =
            "an empty partition would take its place, though the lost one may be found: repair lost partitions first, or let a"
                    + " check look at everything";

    private final AskedShards shards;
    private final Work work;
    private final int pageRows;

    /** @param pageRows largest number of rows in one message when the repair reads a map */
    MapRepair(CheckedServers servers, Work work, int pageRows) {
        this.shards = new AskedShards(servers);
        this.work = work;
        this.pageRows = pageRows;
    }

    /**
     * Makes a map whole, or removes a wrong entry. An empty partition takes the place of one that is lost. So the check
     * must have looked at all shards, and what it found of the directory's partitions must be back in the map.
     */
    Repaired damaged(Finding finding) throws FsException {
        if (!finding.key().isEmpty()) {
            return entryOfMap(finding);
        }
        if (!mayReplace(finding.object())) {
            return Repaired.not(finding, NOT_REPLACED);
        }
        shards.mend(
                finding.shard(),
                MendRequest.newBuilder()
                        .setMap(MendMap.newBuilder()
                                .setDirectory(finding.object().value()))
                        .build());
        return Repaired.done(finding, "the map is whole");
    }

    private boolean mayReplace(Handle directory) {
        return work.isComplete()
                && lost(directory, finding -> !isRepaired(finding)).isEmpty();
    }

    private boolean isRepaired(Finding finding) {
        return work.repair(finding).filter(Repaired::isRepaired).isPresent();
    }

    /** The lost partitions of a directory that the check found. */
    private List<Finding> lost(Handle directory, Predicate<Finding> wanted) {
        List<Finding> lost = new ArrayList<>();
        List<Finding> page = work.findings(FindingKind.LOST_PARTITION, Optional.empty(), PAGE);
        while (!page.isEmpty()) {
            page.stream()
                    .filter(each -> each.other().equals(directory) && wanted.test(each))
                    .forEach(lost::add);
            page = work.findings(FindingKind.LOST_PARTITION, Optional.of(page.get(page.size() - 1)), PAGE);
        }
        return lost;
    }

    /** An entry that leads to nothing, or to a directory that is no partition. */
    private Repaired entryOfMap(Finding finding) throws FsException {
        if (!isAtHome(finding)) {
            return entry(finding, false);
        }
        Optional<CheckedEntry> entry = shards.entry(finding.shard(), finding.key());
        if (entry.filter(each -> each.getMisplaced().isEmpty()).isEmpty()) {
            return entry(finding, false);
        }
        Optional<CheckedObject> found = shards.find(finding.object());
        if (found.isPresent()) {
            if (found.get().hasPartition() || found.get().getType() != FileType.DIRECTORY) {
                throw new FsException(
                        FsError.STALE_VERSION, finding.object() + " is not as it was found any more; check again");
            }
            return partition(finding, entry.get().getPartition());
        }
        return mayReplace(finding.other()) ? entry(finding, true) : Repaired.not(finding, NOT_REPLACED);
    }

    /** Whether the finding is about an entry at the shard that decides about the map. */
    private static boolean isAtHome(Finding finding) {
        return finding.other().isOwnedByShard() && finding.other().shard() == finding.shard();
    }

    private Repaired partition(Finding finding, CheckedPartitionRange range) throws FsException {
        shards.mend(
                finding.object().shard(),
                MendRequest.newBuilder()
                        .setPartition(MendPartition.newBuilder()
                                .setPartition(finding.object().value())
                                .setRange(range))
                        .build());
        return Repaired.done(
                finding, "its shard says what the map of directory " + new Handle(range.getDirectory()) + " says");
    }

    /** @param isReplaced whether an empty partition takes the place of the one to which the entry leads */
    Repaired entry(Finding finding, boolean isReplaced) throws FsException {
        mendEntry(finding.shard(), finding.key(), finding.object(), isReplaced);
        return Repaired.done(
                finding, isReplaced ? "an empty partition has its place" : "the entry was taken out of the map");
    }

    private void mendEntry(int shard, ByteString key, Handle partition, boolean isReplaced) throws FsException {
        shards.mend(
                shard,
                MendRequest.newBuilder()
                        .setMapEntry(MendMapEntry.newBuilder()
                                .setKey(key)
                                .setPartition(partition.value())
                                .setReplace(isReplaced))
                        .build());
    }

    /**
     * Has a partition's shard say what the map says. If the map is damaged and the shard knows the range, the map says
     * what the shard says.
     */
    Repaired unmapped(Finding finding) throws FsException {
        CheckedPartitionRange range = shards.entry(finding.other().shard(), finding.key())
                .filter(entry -> entry.hasPartition()
                        && entry.getObject() == finding.object().value())
                .map(CheckedEntry::getPartition)
                .orElseThrow(() -> new FsException(
                        FsError.STALE_VERSION, "the map does not lead to " + finding.object() + "; check again"));
        Optional<CheckedObject> own = shards.find(finding.object());
        boolean isDamaged = shards.find(finding.other())
                .filter(directory -> !directory.getMapDamage().isEmpty())
                .isPresent();
        if (isDamaged
                && own.filter(each -> is(each, range) && !each.getUnmapped()).isPresent()
                && isInMap(finding.object(), own.get().getPartition())) {
            return Repaired.done(finding, "the map of directory " + finding.other() + " says what its shard says");
        }
        return partition(finding, range);
    }

    /** Whether a partition's own row says that it is this one, whatever its range of hashes. */
    private static boolean is(CheckedObject partition, CheckedPartitionRange range) {
        return partition.hasPartition()
                && partition.getPartition().getNumber() == range.getNumber()
                && partition.getPartition().getDirectory() == range.getDirectory();
    }

    /**
     * Has the map lead to a lost partition. Returns whether it does.
     *
     * @param now the partition as it is
     */
    boolean isBack(Finding finding, CheckedObject now) throws FsException {
        CheckedPartitionRange range = now.getPartition();
        if (range.getDepthUnknown()) {
            range = range.toBuilder().setDepth(leastDepth(finding, range)).build();
        }
        return isInMap(finding.object(), range) || (madeRoom(range) && isInMap(finding.object(), range));
    }

    /** The least depth with which a partition has no hash where another lost one of the directory begins. */
    private int leastDepth(Finding finding, CheckedPartitionRange range) throws FsException {
        int least = 0;
        for (Finding each : lost(finding.other(), each -> !each.equals(finding))) {
            Optional<CheckedObject> other = shards.find(each.object()).filter(CheckedObject::hasPartition);
            if (other.isPresent()) {
                int differs = range.getNumber() ^ other.get().getPartition().getNumber();
                boolean isAbove = Integer.compareUnsigned(
                                range.getNumber(), other.get().getPartition().getNumber())
                        < 0;
                least = isAbove ? Math.max(least, Integer.numberOfTrailingZeros(differs) + 1) : least;
            }
        }
        return least;
    }

    /**
     * Takes an entry out of the map that has the place of a lost partition, if the directory to which it leads is not that
     * partition. If the map has not heard that a partition gave the upper half of its hashes to the lost one, the entry
     * gets the lower half. Returns whether an entry was changed.
     */
    private boolean madeRoom(CheckedPartitionRange lost) throws FsException {
        Handle directory = new Handle(lost.getDirectory());
        Optional<CheckedEntry> taken = entryWith(Long.reverse(lost.getNumber()), directory);
        if (taken.isEmpty()) {
            return false;
        }
        CheckedPartitionRange range = taken.get().getPartition();
        Handle handle = new Handle(taken.get().getObject());
        Optional<CheckedObject> owner = shards.find(handle);
        if (owner.filter(each -> !each.getUnreadable().isEmpty()).isPresent()) {
            return false;
        }
        if (owner.filter(each -> is(each, range)).isEmpty()) {
            mendEntry(directory.shard(), taken.get().getKey(), handle, false);
            return true;
        }
        CheckedPartitionRange own = owner.get().getPartition();
        if (hasOther(range, lost.getNumber()) && !hasOther(own, lost.getNumber())) {
            mendEntry(directory.shard(), entryKey(directory, lost.getNumber()), handle, false);
            return true;
        }
        boolean isHalf = !lost.getDepthUnknown()
                && !owner.get().getUnmapped()
                && own.getDepth() == range.getDepth() + 1
                && lost.getDepth() == own.getDepth()
                && lost.getNumber() == (range.getNumber() | 1 << range.getDepth());
        return isHalf && isInMap(handle, own);
    }

    /** Whether a partition with this number is in the same directory as the first one. */
    private static boolean hasOther(CheckedPartitionRange range, int number) {
        return range.getOthersList().stream().anyMatch(each -> each.getNumber() == number);
    }

    /** The key of an entry in the map of a directory. */
    private static ByteString entryKey(Handle directory, int number) {
        ByteBuffer key = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
        key.putLong(directory.value()).putInt(number).flip();
        return ByteString.copyFrom(key);
    }

    /** Has the map lead to the partition. Returns whether it does; it does not where another one has its place. */
    private boolean isInMap(Handle partition, CheckedPartitionRange range) throws FsException {
        Handle directory = new Handle(range.getDirectory());
        if (!shards.have(directory)) {
            return false;
        }
        try {
            shards.mend(
                    directory.shard(),
                    MendRequest.newBuilder()
                            .setNewMapEntry(
                                    NewMapEntry.newBuilder().setRange(range).setPartition(partition.value()))
                            .build());
            return true;
        } catch (FsException e) {
            if (e.error() != FsError.STALE_VERSION && e.error() != FsError.STALE_START) {
                throw e;
            }
            return false;
        }
    }

    /** The partition that has the name's hash, as the map of the directory says. */
    Handle partitionOf(CheckedEntry name) throws FsException {
        Handle directory = new Handle(name.getParent());
        return entryWith(NameHash.of(name.getName()), directory)
                .map(entry -> new Handle(entry.getObject()))
                .orElse(directory);
    }

    /** The entry with the hash in the map of a directory; empty if that is the directory's own, or if there is none. */
    private Optional<CheckedEntry> entryWith(long hash, Handle directory) throws FsException {
        if (!shards.have(directory)) {
            return Optional.empty();
        }
        ScannedShard home = new ScannedShard(shards.servers(), directory.shard(), pageRows);
        ByteString after = ByteString.copyFrom(Work.key(directory));
        boolean more = true;
        while (more) {
            ScanEntriesReply page = NameScan.page(home, true, after);
            for (CheckedEntry each : page.getEntriesList()) {
                if (each.getDirectory() != directory.value()) {
                    return Optional.empty();
                }
                if (each.getUnreadable().isEmpty() && Links.has(each.getPartition(), hash)) {
                    return Optional.of(each);
                }
            }
            after = page.getLast();
            more = page.getMore();
        }
        return Optional.empty();
    }
}
