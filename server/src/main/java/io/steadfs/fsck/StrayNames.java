package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.io.IOException;
import java.util.Optional;

/** Looks for names that lead to a handle that no shard of the file system owns. */
final class StrayNames implements Stage {
    private static final int BATCH = 10_000;

    private final int shards;

    StrayNames(CheckedServers servers) throws FsException {
        this.shards = servers.shards();
    }

    @Override
    public String name() {
        return "names that lead to no shard";
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        ScanProgress at = ScanProgress.of(work, name());
        if (at.more()) {
            below(work, new Handle(0), Owners.first(Handle.FIRST_SHARD_OWNER), pace);
            below(work, Owners.first(Handle.shardOwner(shards)), new Handle(-1), pace);
            try (WorkBatch batch = work.batch()) {
                batch.progress(name(), new ScanProgress(false, ByteString.EMPTY).encode());
                batch.commit();
            }
        }
    }

    private static void below(Work work, Handle first, Handle end, Pace pace) throws IOException {
        try (Links links = new Links(work, first)) {
            Optional<Handle> object = links.object();
            while (object.isPresent() && object.get().compareTo(end) < 0) {
                try (WorkBatch batch = work.batch()) {
                    int looked = 0;
                    for (; looked < BATCH && object.isPresent() && object.get().compareTo(end) < 0; looked++) {
                        batch.suspect(new Suspect(object.get(), Suspect.Why.ODD));
                        links.take(object.get());
                        object = links.object();
                    }
                    batch.commit();
                    pace.did(looked, 0);
                }
            }
        }
    }
}
