package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ScanObjectsReply;
import io.steadfs.wire.proto.ScanObjectsRequest;
import io.steadfs.wire.proto.Unindexed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Compares the objects of one shard with the names that lead to the objects. The shard reads all rows of a page at one
 * moment. So a contradiction between rows of the shard is a finding. The check reads names at other moments. So a
 * contradiction between an object and its names is only a suspicion.
 */
record ObjectScan(ScannedShard shard, Sequences sequences) implements Stage {
    @Override
    public String name() {
        return "objects of shard " + shard.number();
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        int owner = Handle.shardOwner(shard.number());
        Handle behind = handleIn(ScanProgress.of(work, name()).last())
                .map(last -> new Handle(last.value() + 1))
                .orElse(Owners.first(owner));
        try (Links links = new Links(work, behind)) {
            PagedScan.run(name(), work, pace, (key, batch) -> {
                ScanObjectsReply page = page(key);
                for (CheckedObject object : page.getObjectsList()) {
                    look(object, new Handle(page.getNext()), links, batch);
                }
                if (!page.getMore()) {
                    nothing(links, Owners.last(owner), batch);
                }
                page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(shard.name(), rows)));
                double share = handleIn(page.getLast())
                        .map(last -> sequences.share(shard.number(), last))
                        .orElse(0.0);
                return new PagedScan.Looked(page.getMore(), page.getLast(), page.getObjectsCount(), share);
            });
        }
    }

    private static Optional<Handle> handleIn(ByteString key) {
        return key.size() == Long.BYTES ? Optional.of(Work.handleIn(key.toByteArray())) : Optional.empty();
    }

    private ScanObjectsReply page(ByteString after) throws FsException {
        return shard.ask(
                Kind.SCAN_OBJECTS,
                ScanObjectsRequest.newBuilder()
                        .setAfter(after)
                        .setLimit(shard.pageRows())
                        .build(),
                ScanObjectsReply.class);
    }

    private void look(CheckedObject object, Handle next, Links links, WorkBatch batch) {
        Handle handle = new Handle(object.getHandle());
        if (!object.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            object.getDamaged() ? FindingKind.UNREADABLE_ROWS : FindingKind.UNREADABLE_OBJECT,
                            shard.name(),
                            handle,
                            Handle.NONE,
                            object.getKey(),
                            Words.OBJECT + object.getUnreadable())
                    .in(RowTable.INODE));
        }
        if (handle.isNone()) {
            return;
        }
        if (!handle.isOwnedByShard() || handle.shard() != shard.number()) {
            batch.found(Finding.of(
                            FindingKind.UNREADABLE_OBJECT,
                            shard.name(),
                            handle,
                            Handle.NONE,
                            Words.OBJECT + handle + " is not of this shard")
                    .in(RowTable.INODE));
            return;
        }
        nothing(links, new Handle(handle.value() - 1), batch);
        List<Links.Link> names = links.take(handle);
        if (!object.getUnreadable().isEmpty()) {
            return;
        }
        tell(handle, object, batch);
        if (object.getType() == FileType.DIRECTORY && !names.isEmpty()) {
            batch.parent(handle, names.get(0).directory());
        }
        if (names.isEmpty()) {
            boolean mayBeNameless = handle.equals(Handle.ROOT)
                    || object.getUnlinkedSession() != 0
                    || object.getQueued()
                    || sequences.isNew(handle, next);
            if (!mayBeNameless) {
                batch.suspect(new Suspect(handle, Suspect.Why.NAMELESS));
            }
        } else if (NameVerdict.isOdd(object, names)) {
            batch.suspect(new Suspect(handle, Suspect.Why.ODD));
        }
    }

    /** Suspects all remaining names up to the last handle, because these names lead to no object. */
    private static void nothing(Links links, Handle last, WorkBatch batch) {
        Optional<Handle> object = links.object();
        while (object.isPresent() && object.get().compareTo(last) <= 0) {
            batch.suspect(new Suspect(object.get(), Suspect.Why.ODD));
            links.take(object.get());
            object = links.object();
        }
    }

    private void tell(Handle handle, CheckedObject object, WorkBatch batch) {
        if (object.getUnpartitioned()) {
            batch.found(Finding.of(
                    FindingKind.UNPARTITIONED_DIRECTORY,
                    shard.name(),
                    handle,
                    Handle.NONE,
                    "directory " + handle + " has no row with its counts"));
        }
        for (Unindexed each : object.getUnindexedList()) {
            Handle datafile = new Handle(each.getDatafile());
            batch.found(Finding.of(
                            FindingKind.MISSING_INDEX,
                            shard.name(),
                            datafile,
                            handle,
                            "column " + each.getIndex() + " of metafile " + handle
                                    + " has it, and the index does not lead there")
                    .ofColumn(each.getIndex(), 0, 0));
        }
        if (!object.getMapDamage().isEmpty()) {
            batch.found(Finding.of(
                    FindingKind.DAMAGED_MAP,
                    shard.name(),
                    handle,
                    Handle.NONE,
                    "directory " + handle + " has " + object.getMapDamage()));
        }
        if (object.getXattrs() != object.getXattrsCounted()) {
            batch.found(Finding.of(
                    FindingKind.WRONG_COUNTER,
                    shard.name(),
                    handle,
                    Handle.NONE,
                    object.getXattrsCounted() + " extended attributes, its row says " + object.getXattrs()));
        }
    }
}
