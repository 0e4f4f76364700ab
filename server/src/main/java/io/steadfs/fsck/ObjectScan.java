package io.steadfs.fsck;

import com.google.protobuf.ByteString;
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
 * Merges the objects of one shard with the names that lead to them. The rows of one shard are read at one moment, so contradictions between
 * them are findings. Names are read at other moments, so contradictions with them are only suspicions.
 */
final class ObjectScan implements Stage {
    private final CheckedServers servers;
    private final int shard;
    private final int pageRows;
    private final Sequences sequences;

    ObjectScan(CheckedServers servers, int shard, int pageRows, Sequences sequences) {
        this.servers = servers;
        this.shard = shard;
        this.pageRows = pageRows;
        this.sequences = sequences;
    }

    @Override
    public String name() {
        return "objects of shard " + shard;
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        Handle first = Owners.first(Handle.shardOwner(shard));
        Handle behind =
                handleIn(at.last()).map(last -> new Handle(last.value() + 1)).orElse(first);
        try (Links links = new Links(work, behind)) {
            while (at.more()) {
                ScanObjectsReply page = page(at.last());
                at = new ScanProgress(page.getMore(), page.getLast());
                try (WorkBatch batch = work.batch()) {
                    for (CheckedObject object : page.getObjectsList()) {
                        look(object, new Handle(page.getNext()), links, batch);
                    }
                    if (!at.more()) {
                        nothing(links, Owners.last(Handle.shardOwner(shard)), batch);
                    }
                    page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(Finding.shard(shard), rows)));
                    batch.progress(name(), at.encode());
                    batch.commit();
                }
                double share = at.more() ? handleIn(at.last()).map(this::share).orElse(0.0) : 1;
                pace.did(page.getObjectsCount(), share);
            }
        }
    }

    private double share(Handle handle) {
        return handle.isOwnedByShard() && handle.shard() == shard ? sequences.share(handle) : 0;
    }

    private static Optional<Handle> handleIn(ByteString key) {
        return key.size() == Long.BYTES ? Optional.of(Work.handleIn(key.toByteArray())) : Optional.empty();
    }

    private ScanObjectsReply page(ByteString after) throws IOException {
        return servers.askShard(
                shard,
                Kind.SCAN_OBJECTS,
                ScanObjectsRequest.newBuilder()
                        .setAfter(after)
                        .setLimit(pageRows)
                        .build(),
                ScanObjectsReply.class);
    }

    private void look(CheckedObject object, Handle next, Links links, WorkBatch batch) {
        Handle handle = new Handle(object.getHandle());
        if (!object.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            object.getDamaged() ? FindingKind.UNREADABLE_ROWS : FindingKind.UNREADABLE_OBJECT,
                            Finding.shard(shard),
                            handle,
                            Handle.NONE,
                            object.getKey(),
                            Words.OBJECT + object.getUnreadable())
                    .in(RowTable.INODE));
        }
        if (handle.isNone()) {
            return;
        }
        if (!handle.isOwnedByShard() || handle.shard() != shard) {
            batch.found(Finding.of(
                            FindingKind.UNREADABLE_OBJECT,
                            Finding.shard(shard),
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

    /** Suspects names that lead to no object among those up to the last one. */
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
                    Finding.shard(shard),
                    handle,
                    Handle.NONE,
                    "directory " + handle + " has no partition 0"));
        }
        for (Unindexed each : object.getUnindexedList()) {
            Handle datafile = new Handle(each.getDatafile());
            batch.found(Finding.of(
                            FindingKind.MISSING_INDEX,
                            Finding.shard(shard),
                            datafile,
                            handle,
                            "column " + each.getIndex() + " of metafile " + handle
                                    + " has it, and the index does not lead there")
                    .ofColumn(each.getIndex(), 0, 0));
        }
        if (object.getXattrs() != object.getXattrsCounted()) {
            batch.found(Finding.of(
                    FindingKind.WRONG_COUNTER,
                    Finding.shard(shard),
                    handle,
                    Handle.NONE,
                    object.getXattrsCounted() + " extended attributes, its row says " + object.getXattrs()));
        }
    }
}
