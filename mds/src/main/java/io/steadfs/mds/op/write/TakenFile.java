package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a file from its writer. The decision changes the write generation. So this shard accepts no later attach or
 * close of the old writer. Recovery begins with a seal of the columns. After the seal, the IO servers accept no write
 * of the old writer either.
 */
public final class TakenFile {
    private TakenFile() {}

    /**
     * Records that take the file from its writer and start the recovery of the file. The file must have a writer, or be
     * claimed.
     */
    public static List<LogRecord> from(Handle metafile, MetafileRow row, ReadView view) {
        MetafileRow taken = row.toBuilder()
                .setWriterSession(0)
                .setUntouchedSession(0)
                .setWriteGeneration(LossIncarnation.generationAfter(view, row.getWriteGeneration()))
                .setRecovering(true)
                .setVersion(row.getVersion() + 1)
                .build();
        List<LogRecord> records = new ArrayList<>(FileWriter.ended(view, metafile, row));
        records.add(new MetafileSet(metafile, taken));
        records.add(new RecoveryQueued(metafile));
        return records;
    }
}
