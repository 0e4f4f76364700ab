package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * A file that is taken from its writer. From this decision on no attach and no close of that writer is accepted, because
 * the write generation is another one; from the seal that recovery begins with, no write either.
 */
public final class TakenFile {
    private TakenFile() {}

    /** Records that take the file from its writer, which it has, and let recovery begin. */
    public static List<LogRecord> from(Handle metafile, MetafileRow row, ReadView view) {
        MetafileRow taken = row.toBuilder()
                .setWriterSession(0)
                .setWriteGeneration(LossIncarnation.generationAfter(view, row.getWriteGeneration()))
                .setRecovering(true)
                .setVersion(row.getVersion() + 1)
                .build();
        return List.of(
                new FileReleased(row.getWriterSession(), metafile),
                new MetafileSet(metafile, taken),
                new RecoveryQueued(metafile));
    }
}
