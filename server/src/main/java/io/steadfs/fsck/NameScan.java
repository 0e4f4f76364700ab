package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sorts the names of one shard by the objects that they lead to. */
final class NameScan implements Stage {
    private final CheckedServers servers;
    private final int shard;
    private final int pageRows;
    private final Sequences sequences;

    NameScan(CheckedServers servers, int shard, int pageRows, Sequences sequences) {
        this.servers = servers;
        this.shard = shard;
        this.pageRows = pageRows;
        this.sequences = sequences;
    }

    @Override
    public String name() {
        return "names of shard " + shard;
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        while (at.more()) {
            ScanEntriesReply page = page(servers, shard, at.last(), pageRows);
            at = new ScanProgress(page.getMore(), page.getLast());
            try (WorkBatch batch = work.batch()) {
                for (CheckedEntry entry : page.getEntriesList()) {
                    tell(entry, batch);
                    if (entry.getUnreadable().isEmpty()) {
                        batch.link(shard, entry);
                    }
                }
                page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(Finding.shard(shard), rows)));
                batch.progress(name(), at.encode());
                batch.commit();
            }
            pace.did(page.getEntriesCount(), share(at));
        }
    }

    static ScanEntriesReply page(CheckedServers servers, int shard, ByteString after, int rows) throws IOException {
        return servers.askShard(
                shard,
                Kind.SCAN_ENTRIES,
                ScanEntriesRequest.newBuilder().setAfter(after).setLimit(rows).build(),
                ScanEntriesReply.class);
    }

    /** Names come in the order of their directories, so the last directory tells the share. */
    private double share(ScanProgress at) {
        if (!at.more() || at.last().size() < Long.BYTES) {
            return at.more() ? 0 : 1;
        }
        Handle directory =
                new Handle(ByteBuffer.wrap(at.last().substring(0, Long.BYTES).toByteArray())
                        .getLong());
        return directory.isOwnedByShard() && directory.shard() == shard ? sequences.share(directory) : 0;
    }

    private void tell(CheckedEntry entry, WorkBatch batch) {
        Handle directory = new Handle(entry.getDirectory());
        Handle object = new Handle(entry.getObject());
        if (!entry.getUnreadable().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.UNREADABLE_RECORD,
                            Finding.shard(shard),
                            Handle.NONE,
                            directory,
                            entry.getKey(),
                            Words.NAME + entry.getUnreadable())
                    .in(RowTable.DIRENT));
        } else if (!entry.getMisplaced().isEmpty()) {
            batch.found(new Finding(
                            FindingKind.MISPLACED_DIRENT,
                            Finding.shard(shard),
                            object,
                            directory,
                            entry.getKey(),
                            Words.name(entry) + ": " + entry.getMisplaced())
                    .in(RowTable.DIRENT));
        } else if (entry.getUnreachable()) {
            batch.found(Finding.of(
                    FindingKind.UNREACHABLE_PARTITION,
                    Finding.shard(shard),
                    directory,
                    Handle.NONE,
                    "directory " + directory + " has a partition or names, and is not there"));
        }
    }
}
