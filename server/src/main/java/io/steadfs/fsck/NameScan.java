package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;
import java.io.IOException;

/**
 * Reads the names of one shard, or the entries of its maps, and stores them in the order of the objects to which they
 * lead. An entry of a map is the name of a partition.
 */
record NameScan(ScannedShard shard, Sequences sequences, boolean isOfMaps) implements Stage {
    @Override
    public String name() {
        return (isOfMaps ? "maps of shard " : "names of shard ") + shard.number();
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            ScanEntriesReply page = page(shard, isOfMaps, key);
            for (CheckedEntry entry : page.getEntriesList()) {
                tell(entry, batch);
                // All of a symbolic link is in its name. An entry of a map that is no name is misplaced.
                if (entry.getUnreadable().isEmpty()
                        && entry.getType() != FileType.SYMLINK
                        && !(isOfMaps && !entry.getMisplaced().isEmpty())) {
                    batch.link(shard.number(), entry);
                }
            }
            page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(shard.name(), rows)));
            return new PagedScan.Looked(page.getMore(), page.getLast(), page.getEntriesCount(), share(page.getLast()));
        });
    }

    static ScanEntriesReply page(ScannedShard shard, boolean isOfMaps, ByteString after) throws FsException {
        return shard.ask(
                Kind.SCAN_ENTRIES,
                ScanEntriesRequest.newBuilder()
                        .setAfter(after)
                        .setLimit(shard.pageRows())
                        .setMaps(isOfMaps)
                        .build(),
                ScanEntriesReply.class);
    }

    /**
     * Estimates the part of the scan that is done, from 0 to 1. The shard sends names in the order of their
     * directories, so the directory in the last key determines the part.
     */
    private double share(ByteString last) {
        return last.size() < Long.BYTES ? 0 : sequences.share(shard.number(), Work.handleIn(last.toByteArray()));
    }

    private void tell(CheckedEntry entry, WorkBatch batch) {
        Handle directory = new Handle(entry.getDirectory());
        Handle object = new Handle(entry.getObject());
        if (!entry.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.UNREADABLE_RECORD,
                            shard.name(),
                            Handle.NONE,
                            directory,
                            entry.getKey(),
                            (isOfMaps ? Words.MAP : Words.NAME) + entry.getUnreadable())
                    .in(isOfMaps ? RowTable.MAP : RowTable.DIRENT));
        } else if (isOfMaps) {
            if (!entry.getMisplaced().isEmpty()) {
                batch.found(new Finding(
                                FindingKind.DAMAGED_MAP,
                                shard.name(),
                                object,
                                directory,
                                entry.getKey(),
                                Words.name(entry) + ": " + entry.getMisplaced())
                        .in(RowTable.MAP));
            }
        } else if (!entry.getMisplaced().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.MISPLACED_DIRENT,
                            shard.name(),
                            object,
                            directory,
                            entry.getKey(),
                            Words.name(entry) + ": " + entry.getMisplaced())
                    .in(RowTable.DIRENT));
        } else if (entry.getUnreachable()) {
            batch.found(PartitionScan.unreachable(shard, directory));
        }
    }
}
