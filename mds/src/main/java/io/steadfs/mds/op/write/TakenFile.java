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
 * A file that is taken from its writer. From this decision on, no attach or close of that writer is accepted, because the
 * write generation has changed. From the seal on, with which recovery begins, no write is accepted either.
 */
public final class TakenFile {
    private TakenFile() {}

    /** Records that take the file from its writer and start its recovery. The file must have a writer. */
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
