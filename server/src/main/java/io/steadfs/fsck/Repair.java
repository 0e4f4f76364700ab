package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.store.Damage;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.DamagedDatafile;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.MendColumn;
import io.steadfs.wire.proto.MendCounts;
import io.steadfs.wire.proto.MendDirectory;
import io.steadfs.wire.proto.MendIndex;
import io.steadfs.wire.proto.MendLeak;
import io.steadfs.wire.proto.MendName;
import io.steadfs.wire.proto.MendParent;
import io.steadfs.wire.proto.MendPartition;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.MendRow;
import io.steadfs.wire.proto.NewName;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Repairs the findings of a check. Most repairs are a MEND message to a shard, which first checks that the finding
 * still holds. The repair of an unreadable datafile is a REMOVE message to its IO server. {@link LeaseRepair} repairs
 * leases.
 *
 * <pre>
 *  unreadable rows              are removed, and kept with the repair
 *  index                        says what the metafile says
 *  lost, foreign, short columns the file ends where the column does; another column's bytes are not read any more
 *  bad bytes                    the file ends before them
 *  names                        dangling and second names are removed; misplaced ones move; type and parent are set
 *  directories                  get their counts
 *  maps                         lead to the partitions that are there; where one is lost, to an empty one
 *  objects without a name       get a name in the lost and found: their handle
 *  leaked datafiles             are put into the deletion queue
 *  unreadable datafiles         are removed at their IO server, if it still cannot read the row
 *  leases                       are ended by their IO server, after it fenced them at every shard
 *  rows that wait in vain       are removed; what is held for the operation is undone
 * </pre>
 *
 * <p>The order of kinds ensures that no repair removes data that a later repair needs. If a repair reveals another
 * problem, the next check finds that problem. The findings of a resumed check may be old. Therefore the repair checks
 * datafiles, bytes and nameless objects again right before it repairs them.
 */
public final class Repair {
    /** All kinds, in the order of their repair. */
    static final List<FindingKind> ORDER = List.of(
            FindingKind.STALE_INTENT,
            FindingKind.STUCK_DELETION,
            FindingKind.OVERLAPPING_LEASES,
            FindingKind.EXPIRED_LEASE,
            FindingKind.UNREADABLE_RECORD,
            FindingKind.UNREADABLE_OBJECT,
            FindingKind.MISSING_INDEX,
            FindingKind.STRAY_INDEX,
            FindingKind.CLAIMED_TWICE,
            FindingKind.FOREIGN_DATAFILE,
            FindingKind.UNREADABLE_DATAFILE,
            FindingKind.MISSING_DATAFILE,
            FindingKind.SHORT_DATAFILE,
            FindingKind.CHECKSUM_FAILURE,
            FindingKind.UNREACHABLE_PARTITION,
            FindingKind.UNPARTITIONED_DIRECTORY,
            FindingKind.LOST_PARTITION,
            FindingKind.UNMAPPED_PARTITION,
            FindingKind.DAMAGED_MAP,
            FindingKind.LINKED_TWICE,
            FindingKind.MISPLACED_DIRENT,
            FindingKind.WRONG_TYPE,
            FindingKind.DANGLING_DIRENT,
            FindingKind.WRONG_PARENT,
            FindingKind.WRONG_COUNTER,
            FindingKind.UNREACHABLE_DIRECTORY,
            FindingKind.ORPHAN_METAFILE,
            FindingKind.LEAKED_DATAFILE,
            FindingKind.UNREADABLE_ROWS,
            FindingKind.DAMAGED_FILE);

    private static final Set<FindingKind> NAMELESS =
            Set.of(FindingKind.UNREACHABLE_DIRECTORY, FindingKind.LOST_PARTITION, FindingKind.ORPHAN_METAFILE);

    private static final int PAGE = 5_000;

    private final CheckedServers servers;
    private final Work work;
    private final LostAndFound lostAndFound;
    private final Pace pace;
    private final int pageRows;
    private final AskedShards shards;
    private final MapRepair maps;
    /** Servers that did not answer. The repair never asks a server of this set again. */
    private final Set<String> away = new HashSet<>();

    /** @param pageRows largest number of rows in one message when the repair searches names again */
    public Repair(CheckedServers servers, Work work, LostAndFound lostAndFound, Pace pace, int pageRows) {
        this.servers = servers;
        this.work = work;
        this.lostAndFound = lostAndFound;
        this.pace = pace;
        this.pageRows = pageRows;
        this.shards = new AskedShards(servers);
        this.maps = new MapRepair(servers, work, pageRows);
    }

    /**
     * Repairs all findings of these kinds. If an earlier run on the same work repaired a finding, this run does not
     * repair the finding again.
     *
     * @return the number of repaired findings, including those of earlier runs. For each finding that is not repaired,
     *     the work has the reason
     * @throws IOException if the work cannot be stored; CANCELLED if the repair was cancelled. After a cancelled
     *     repair, the next run repairs the rest
     */
    public long run(Set<FindingKind> kinds) throws IOException {
        long repaired = 0;
        for (FindingKind kind : ORDER) {
            if (!kinds.contains(kind)) {
                continue;
            }
            pace.begin("repair of " + kind.label());
            List<Finding> page = work.findings(kind, Optional.empty(), PAGE);
            while (!page.isEmpty()) {
                for (Finding finding : NAMELESS.contains(kind) ? stillNameless(page) : page) {
                    pace.did(1, 0);
                    repaired += isRepaired(finding) ? 1 : 0;
                }
                page = work.findings(kind, Optional.of(page.get(page.size() - 1)), PAGE);
            }
        }
        return repaired;
    }

    /**
     * Returns the findings whose objects still have no name, and the findings that are already repaired. If an object
     * has a name now, its finding is removed from the work.
     */
    private List<Finding> stillNameless(List<Finding> page) throws IOException {
        List<Finding> asked = page.stream()
                .filter(finding -> finding.key().isEmpty() && !wasRepaired(finding))
                .toList();
        try (WorkBatch batch = work.batch()) {
            for (Finding finding : asked) {
                batch.forget(finding);
                batch.suspect(new Suspect(finding.object(), Suspect.Why.NAMELESS));
            }
            batch.commit();
        }
        try {
            new NameRecheck(servers, pageRows).run(work, pace);
        } catch (FsException e) {
            try (WorkBatch batch = work.batch()) {
                for (Finding finding : asked) {
                    batch.found(finding);
                    batch.cleared(finding.object());
                    if (e.error() != FsError.CANCELLED) {
                        batch.repaired(new Repaired(finding, false, String.valueOf(e.getMessage()), ByteString.EMPTY));
                    }
                }
                batch.commit();
            }
            if (e.error() == FsError.CANCELLED) {
                throw e;
            }
            return List.of();
        }
        return page.stream().filter(work::isFound).toList();
    }

    private boolean wasRepaired(Finding finding) {
        return work.repair(finding).filter(Repaired::isRepaired).isPresent();
    }

    private boolean isRepaired(Finding finding) throws IOException {
        if (wasRepaired(finding)) {
            return true;
        }
        ByteString taken = work.repair(finding).map(Repaired::removed).orElse(ByteString.EMPTY);
        Repaired done = repair(finding);
        try (WorkBatch batch = work.batch()) {
            batch.repaired(
                    done.removed().isEmpty() ? new Repaired(finding, done.isRepaired(), done.what(), taken) : done);
            batch.commit();
        }
        return done.isRepaired();
    }

    private Repaired repair(Finding finding) throws IOException {
        if (away.contains(finding.server())) {
            return Repaired.not(finding, finding.server() + " did not answer before");
        }
        try {
            return done(finding);
        } catch (FsException e) {
            if (e.error().neverSent() || e.error() == FsError.TIMED_OUT) {
                away.add(finding.server());
            }
            return Repaired.not(finding, String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            return Repaired.not(finding, "the repair does not know which server to ask: " + e.getMessage());
        }
    }

    private Repaired done(Finding finding) throws IOException {
        return switch (finding.kind()) {
            case UNREADABLE_ROWS, DAMAGED_FILE ->
                Repaired.not(
                        finding, "the content of the rows is unknown; at " + finding.server() + ": " + Damage.HELP);
            case UNREADABLE_RECORD, UNREADABLE_OBJECT -> row(finding);
            case MISSING_INDEX, STRAY_INDEX -> index(finding);
            case CLAIMED_TWICE, FOREIGN_DATAFILE, MISSING_DATAFILE -> column(asFound(finding), 0, true);
            case SHORT_DATAFILE -> column(asFound(finding), finding.length(), false);
            case CHECKSUM_FAILURE -> column(badAsFound(finding), finding.length(), false);
            case UNREADABLE_DATAFILE -> unreadable(asFound(finding));
            case MISPLACED_DIRENT, WRONG_TYPE -> name(finding);
            case DANGLING_DIRENT -> dangling(finding);
            case LINKED_TWICE -> linkedTwice(finding);
            case WRONG_PARENT -> wrongParent(finding);
            case UNREACHABLE_PARTITION, UNPARTITIONED_DIRECTORY -> directory(finding);
            case WRONG_COUNTER -> finding.key().isEmpty() ? counts(finding) : directory(finding);
            case UNREACHABLE_DIRECTORY, ORPHAN_METAFILE -> nameless(finding);
            case LOST_PARTITION -> lostPartition(finding);
            case DAMAGED_MAP -> maps.damaged(finding);
            case UNMAPPED_PARTITION -> maps.unmapped(finding);
            case LEAKED_DATAFILE -> leak(asFound(finding));
            case STALE_INTENT -> Repaired.done(finding, new PendingRepair(servers).intent(finding));
            case STUCK_DELETION -> Repaired.done(finding, new PendingRepair(servers).deletion(finding));
            case EXPIRED_LEASE -> Repaired.done(finding, new LeaseRepair(servers).expired(finding));
            case OVERLAPPING_LEASES -> Repaired.done(finding, new LeaseRepair(servers).overlapping(finding));
        };
    }

    /**
     * Checks again the datafile that the finding is about, and returns the finding.
     *
     * @throws FsException if the finding no longer holds
     */
    private Finding asFound(Finding finding) throws FsException {
        int owner = finding.object().owner();
        if (!servers.ioServers().contains(owner)) {
            servers.refresh();
        }
        boolean isSo = servers.ioServers().contains(owner)
                ? new DatafileRecheck(servers, owner, NeededBytes.at(servers, owner))
                        .look(List.of(finding.object()))
                        .contains(finding)
                : finding.kind() == FindingKind.MISSING_DATAFILE;
        return check(finding, isSo);
    }

    private Finding badAsFound(Finding finding) throws FsException {
        DamagedDatafile damaged = DamagedDatafile.newBuilder()
                .setDatafile(finding.object().value())
                .setMetafile(finding.other().value())
                .setIndex(finding.column())
                .setOffset(finding.length())
                .build();
        return check(
                finding,
                new ByteScan(servers, finding.object().owner())
                        .look(List.of(damaged))
                        .contains(finding));
    }

    private static Finding check(Finding finding, boolean isSo) throws FsException {
        if (!isSo) {
            throw new FsException(
                    FsError.STALE_VERSION,
                    "datafile " + finding.object() + " is not as it was found any more; check again");
        }
        return finding;
    }

    /** Removes an unreadable row. The work stores the row's bytes before the row is removed. */
    private Repaired row(Finding finding) throws IOException {
        MendRow.Builder row = MendRow.newBuilder().setTable(table(finding)).setKey(key(finding));
        ByteString value = shards.mend(
                        finding.shard(),
                        MendRequest.newBuilder()
                                .setRow(row.clone().setLook(true))
                                .build())
                .getRemoved();
        try (WorkBatch batch = work.batch()) {
            batch.repaired(new Repaired(finding, false, "the row is about to be taken away", value));
            batch.commit();
        }
        try {
            var unused = shards.mend(
                    finding.shard(),
                    MendRequest.newBuilder().setRow(row.setValue(value)).build());
        } catch (FsException e) {
            return new Repaired(finding, false, String.valueOf(e.getMessage()), value);
        }
        return new Repaired(finding, true, "the row was taken away", value);
    }

    private static ByteString key(Finding finding) {
        return finding.key().isEmpty() ? ByteString.copyFrom(Work.key(finding.object())) : finding.key();
    }

    private static MendRow.Table table(Finding finding) {
        return switch (finding.table()) {
            case DIRENT -> MendRow.Table.NAMES;
            case INODE -> MendRow.Table.OBJECTS;
            case PARTITION -> MendRow.Table.PARTITIONS;
            case MAP -> MendRow.Table.MAPS;
            case DATAFILE -> MendRow.Table.INDEX;
            default -> throw new IllegalStateException("no row of table '" + finding.table() + "' is taken away");
        };
    }

    private Repaired index(Finding finding) throws FsException {
        shards.mend(
                finding.shard(),
                MendRequest.newBuilder()
                        .setIndex(MendIndex.newBuilder()
                                .setDatafile(finding.object().value())
                                .setMetafile(finding.other().value())
                                .setIndex(finding.column()))
                        .build());
        return Repaired.done(finding, "the index says what the metafile says");
    }

    private Repaired column(Finding finding, long bytes, boolean drop) throws FsException {
        shards.mend(
                finding.other().shard(),
                MendRequest.newBuilder()
                        .setColumn(MendColumn.newBuilder()
                                .setMetafile(finding.other().value())
                                .setIndex(finding.column())
                                .setDatafile(finding.object().value())
                                .setBytes(bytes)
                                .setVersion(finding.expected())
                                .setDrop(drop))
                        .build());
        return Repaired.done(
                finding,
                "file " + finding.other() + " ends where column " + finding.column() + " has " + bytes + " bytes"
                        + (drop ? ", and has the datafile no more" : ""));
    }

    private Repaired unreadable(Finding finding) throws FsException {
        if (!finding.other().isNone()) {
            column(finding, 0, true);
        }
        RemoveRequest request = RemoveRequest.newBuilder()
                .addDatafiles(finding.object().value())
                .addMetafiles(finding.other().value())
                .setUnreadable(true)
                .build();
        int removed = servers.askIo(finding.object().owner(), Kind.REMOVE, request, RemoveReply.class)
                .getRemoved();
        return removed == 1
                ? Repaired.done(finding, "the datafile was removed")
                : Repaired.not(finding, "its IO server can read the row of the datafile, or has no row; check again");
    }

    private Repaired name(Finding finding) throws IOException {
        Optional<CheckedEntry> misplaced =
                shards.entry(finding.shard(), finding.key()).filter(CheckedEntry::getOfOtherPartition);
        if (misplaced.isPresent()) {
            Handle right = maps.partitionOf(misplaced.get());
            if (right.shard() != finding.shard()) {
                return moved(finding, misplaced.get(), right);
            }
        }
        FileType type = typeOf(finding);
        MendName.Builder here = MendName.newBuilder()
                .setKey(finding.key())
                .setObject(finding.object().value());
        try {
            shards.mend(
                    finding.shard(),
                    MendRequest.newBuilder()
                            .setName(here.clone().setKeep(true).setType(type))
                            .build());
        } catch (FsException e) {
            if (e.error() != FsError.ALREADY_EXISTS) {
                throw e;
            }
            return displaced(finding, type, row(finding.shard(), here));
        }
        return Repaired.done(finding, "the name is where it belongs, of a " + Words.type(type));
    }

    /** Moves a name to its partition at another shard. The name is there before it goes here. */
    private Repaired moved(Finding finding, CheckedEntry name, Handle partition) throws IOException {
        MendName.Builder here = MendName.newBuilder().setKey(finding.key()).setObject(name.getObject());
        ByteString row = row(finding.shard(), here);
        try {
            newName(partition, name.getName(), name.getObject(), name.getType(), row);
        } catch (FsException e) {
            if (e.error() != FsError.ALREADY_EXISTS) {
                throw e;
            }
            return displaced(finding, name.getType(), row);
        }
        shards.mend(finding.shard(), MendRequest.newBuilder().setName(here).build());
        return Repaired.done(finding, "the name is in partition " + partition);
    }

    /**
     * Removes a name whose place another name has. The next check finds that the object has no name. All of a symbolic
     * link is in its name, so a link goes to the lost and found at once.
     */
    private Repaired displaced(Finding finding, FileType type, ByteString row) throws IOException {
        if (type == FileType.SYMLINK) {
            newName(
                    lostAndFound.directory(),
                    finding.object().toString(),
                    finding.object().value(),
                    type,
                    row);
        }
        mendNoName(finding);
        return Repaired.done(finding, "another name has its place: the name was taken away");
    }

    private ByteString row(int shard, MendName.Builder name) throws FsException {
        return shards.mend(
                        shard,
                        MendRequest.newBuilder()
                                .setName(name.clone().setLook(true))
                                .build())
                .getRemoved();
    }

    /** @param row the row of the name at its old place; empty to make a new one */
    private void newName(Handle directory, String name, long object, FileType type, ByteString row) throws FsException {
        shards.mend(
                directory.shard(),
                MendRequest.newBuilder()
                        .setNewName(NewName.newBuilder()
                                .setDirectory(directory.value())
                                .setName(name)
                                .setObject(object)
                                .setType(type)
                                .setRow(row))
                        .build());
    }

    /** The type of what a name leads to. A symbolic link has no row beside its name. */
    private FileType typeOf(Finding finding) throws FsException {
        boolean isLink = shards.entry(finding.shard(), finding.key())
                .filter(name -> name.getType() == FileType.SYMLINK)
                .isPresent();
        return isLink ? FileType.SYMLINK : object(finding).getType();
    }

    private CheckedObject object(Finding finding) throws FsException {
        Handle object = finding.object();
        if (!shards.have(object)) {
            throw new FsException(FsError.STALE_VERSION, "object " + object + " is of no shard");
        }
        return shards.find(object)
                .filter(found -> found.getUnreadable().isEmpty())
                .orElseThrow(() -> new FsException(
                        FsError.STALE_VERSION, "object " + object + " is not there, or cannot be read"));
    }

    private Repaired dangling(Finding finding) throws FsException {
        Handle object = finding.object();
        if (shards.find(object).filter(found -> !found.hasPartition()).isPresent()) {
            throw new FsException(FsError.STALE_VERSION, "object " + object + " is there; check again");
        }
        return noName(finding);
    }

    /** Removes a name only if another name that lookups can find still leads to the object. */
    private Repaired linkedTwice(Finding finding) throws FsException {
        boolean stays = finding.object().equals(Handle.ROOT);
        for (Links.Link link : Links.of(work, finding.object())) {
            boolean isIt = link.shard() == finding.shard() && link.key().equals(finding.key());
            stays |= !isIt
                    && shards.entry(link.shard(), link.key())
                            .filter(entry ->
                                    entry.getObject() == finding.object().value()
                                            && entry.getMisplaced().isEmpty()
                                            && !entry.getUnreachable())
                            .isPresent();
        }
        if (!stays) {
            throw new FsException(
                    FsError.STALE_VERSION,
                    "object " + finding.object() + " has no other name that can be found; check again");
        }
        return noName(finding);
    }

    private Repaired noName(Finding finding) throws FsException {
        mendNoName(finding);
        return Repaired.done(finding, "the name was taken away");
    }

    private void mendNoName(Finding finding) throws FsException {
        if (finding.table() == RowTable.MAP) {
            var unused = maps.entry(finding, false);
            return;
        }
        shards.mend(
                finding.shard(),
                MendRequest.newBuilder()
                        .setName(MendName.newBuilder()
                                .setKey(finding.key())
                                .setObject(finding.object().value()))
                        .build());
    }

    private Repaired wrongParent(Finding finding) throws FsException {
        CheckedEntry name = shards.entry(finding.shard(), finding.key())
                .filter(entry -> entry.getObject() == finding.object().value())
                .orElseThrow(() -> new FsException(
                        FsError.STALE_VERSION, "directory " + finding.object() + " has another name now"));
        return parent(finding, new Handle(name.getParent()));
    }

    private Repaired parent(Finding finding, Handle parent) throws FsException {
        shards.mend(
                finding.object().shard(),
                MendRequest.newBuilder()
                        .setParent(MendParent.newBuilder()
                                .setDirectory(finding.object().value())
                                .setParent(parent.value())
                                .setInsteadOf(finding.expected()))
                        .build());
        return Repaired.done(finding, "the row says that its parent is " + parent);
    }

    private Repaired directory(Finding finding) throws FsException {
        MendDirectory.Builder directory =
                MendDirectory.newBuilder().setDirectory(finding.object().value());
        Links.of(work, finding.object()).stream()
                .filter(Links.Link::isOfMap)
                .findFirst()
                .ifPresent(link -> directory.setPartition(CheckedPartitionRange.newBuilder()
                        .setDirectory(link.directory().value())
                        .setNumber(link.partition())
                        .setDepth(link.depth())));
        shards.mend(
                finding.shard(),
                MendRequest.newBuilder().setDirectory(directory).build());
        return Repaired.done(finding, "the directory has a partition with its names counted, or nothing is left of it");
    }

    private Repaired counts(Finding finding) throws FsException {
        shards.mend(
                finding.shard(),
                MendRequest.newBuilder()
                        .setCounts(MendCounts.newBuilder()
                                .setObject(finding.object().value()))
                        .build());
        return Repaired.done(finding, "the extended attributes were counted");
    }

    private Repaired nameless(Finding finding) throws IOException {
        boolean isFile = finding.kind() == FindingKind.ORPHAN_METAFILE;
        if (!finding.key().isEmpty()) {
            mendNoName(finding);
        }
        Handle directory = lostAndFound.directory();
        newName(
                directory,
                finding.object().toString(),
                finding.object().value(),
                isFile ? FileType.FILE : FileType.DIRECTORY,
                ByteString.EMPTY);
        if (!isFile) {
            var unused = parent(finding, directory);
        }
        return Repaired.done(finding, "it is in the lost and found, as " + finding.object());
    }

    private Repaired lostPartition(Finding finding) throws IOException {
        CheckedObject now = object(finding);
        if (!now.hasPartition()) {
            throw new FsException(FsError.STALE_VERSION, finding.object() + " is no partition any more; check again");
        }
        if (maps.isBack(finding, now)) {
            return Repaired.done(finding, "it is in the map of directory " + finding.other() + " again");
        }
        shards.mend(
                finding.object().shard(),
                MendRequest.newBuilder()
                        .setPartition(MendPartition.newBuilder()
                                .setPartition(finding.object().value()))
                        .build());
        return nameless(finding);
    }

    private Repaired leak(Finding finding) throws FsException {
        Handle metafile = finding.other();
        boolean hasShard = shards.have(metafile);
        shards.mend(
                hasShard ? metafile.shard() : 0,
                MendRequest.newBuilder()
                        .setLeak(MendLeak.newBuilder()
                                .setDatafile(finding.object().value())
                                .setMetafile(metafile.value())
                                .setIndex(finding.column()))
                        .build());
        return Repaired.done(finding, "the datafile is in the queue to be removed");
    }
}
