package io.steadfs.mds.op.server;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.handle.SequenceRaised;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/** Makes the first records of shard 0: an empty root directory under the shard's first handle. */
public final class RootDirectory {
    private static final int MODE = 0755;

    private RootDirectory() {}

    /**
     * Records that make the root directory; none if the root directory exists or belongs to another shard. The first
     * {@link Command} of a shard calls this method.
     */
    public static Decision<Boolean> decide(String superuser, String supergroup, ReadView view, Inputs inputs) {
        boolean missing = inputs.shard() == Handle.ROOT.shard()
                && Directories.find(view, Handle.ROOT).isEmpty();
        List<LogRecord> records = new ArrayList<>();
        if (missing) {
            records.add(new SequenceRaised(Handle.ROOT.incarnation(), Handle.ROOT.sequence() + 1));
            records.add(new DirectorySet(
                    Handle.ROOT,
                    DirectoryRow.newBuilder()
                            .setMode(MODE)
                            .setOwner(superuser)
                            .setGroup(supergroup)
                            .setAccessTime(inputs.wallMillis())
                            .setVersion(1)
                            .build()));
            records.add(new CountsSet(Handle.ROOT, DirectoryCounts.first(inputs.wallMillis())));
        }
        return new Decision<>(records, missing);
    }
}
