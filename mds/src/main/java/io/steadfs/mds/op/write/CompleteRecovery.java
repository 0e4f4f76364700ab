package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.SealedDatafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.session.RecoveryDone;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * Ends the recovery of a file that was truncated or lost its writer. The command records the length of the file:
 * {@link RecoveredLength}. The command does nothing if the write generation has changed since the columns were sealed.
 * A truncated file keeps its mark if some datafile could not be cut. Bytes of a marked file beyond its length never
 * count. Answers whether the file no longer awaits recovery.
 */
public final class CompleteRecovery extends InternalCommand<Boolean> {
    private final Handle metafile;
    private final long generation;
    private final SealedDatafiles sealed;

    /** @param sealed the result of the seal, for all datafiles of the metafile */
    public CompleteRecovery(Handle metafile, long generation, SealedDatafiles sealed) {
        this.metafile = metafile;
        this.generation = generation;
        this.sealed = sealed;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Optional<MetafileRow> found = Metafiles.find(view, metafile);
        if (found.isEmpty() || !found.get().getRecovering()) {
            return Decision.of(true, new RecoveryDone(metafile));
        }
        MetafileRow row = found.get();
        if (row.getWriteGeneration() != generation || !isSealed(row.getLayout())) {
            return Decision.of(false);
        }
        MetafileRow recovered = Metafiles.withLengths(row, RecoveredLength.of(row, sealed), 0)
                .setRecovering(false)
                .setCut(row.getCut() && !sealed.isWhole())
                .setModificationTime(row.getCut() ? row.getModificationTime() : inputs.wallMillis())
                .setVersion(row.getVersion() + 1)
                .build();
        return Decision.of(true, new MetafileSet(metafile, recovered), new RecoveryDone(metafile));
    }

    private boolean isSealed(LayoutRow layout) {
        for (long datafile : layout.getDatafilesList()) {
            if (datafile != 0 && !sealed.isKnown(new Handle(datafile))) {
                return false;
            }
        }
        return true;
    }
}
