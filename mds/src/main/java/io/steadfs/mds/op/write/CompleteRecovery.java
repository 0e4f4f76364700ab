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
 * Records the length of a file whose writer is gone, or that was truncated: {@link RecoveredLength}. It does so only if the
 * file still awaits recovery under the generation with which the columns were sealed. If not everything could be cut of a
 * truncated file, the file keeps its mark, because bytes of a damaged datafile beyond its length must never count. Answers
 * whether the file no longer awaits recovery.
 */
public final class CompleteRecovery extends InternalCommand<Boolean> {
    private final Handle metafile;
    private final long generation;
    private final SealedDatafiles sealed;

    /** @param sealed all datafiles of the metafile */
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
