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

/** Reads the names of one shard, and stores them in the order of the objects to which the names lead. */
record NameScan(ScannedShard shard, Sequences sequences) implements Stage {
    @Override
    public String name() {
        return "names of shard " + shard.number();
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            ScanEntriesReply page = page(shard, key);
            for (CheckedEntry entry : page.getEntriesList()) {
                tell(entry, batch);
                // All of a symbolic link is in its name.
                if (entry.getUnreadable().isEmpty() && entry.getType() != FileType.SYMLINK) {
                    batch.link(shard.number(), entry);
                }
            }
            page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(shard.name(), rows)));
            return new PagedScan.Looked(page.getMore(), page.getLast(), page.getEntriesCount(), share(page.getLast()));
        });
    }

    static ScanEntriesReply page(ScannedShard shard, ByteString after) throws FsException {
        return shard.ask(
                Kind.SCAN_ENTRIES,
                ScanEntriesRequest.newBuilder()
                        .setAfter(after)
                        .setLimit(shard.pageRows())
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
                            Words.NAME + entry.getUnreadable())
                    .in(RowTable.DIRENT));
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
