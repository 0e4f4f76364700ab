package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.session.RecoveryDone;
import io.steadfs.store.ReadView;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Settles the length of a file whose writer is gone: the longest prefix that its sealed columns hold, and not less than
 * what was recorded as being on stable storage. Only where the file still awaits recovery under the generation that the
 * columns were sealed with. Answers whether it no longer awaits recovery.
 */
public final class CompleteRecovery extends InternalCommand<Boolean> {
    private final Handle metafile;
    private final long generation;
    private final Map<Handle, Long> sealedLengths;

    /** @param sealedLengths of all datafiles of the metafile */
    public CompleteRecovery(Handle metafile, long generation, Map<Handle, Long> sealedLengths) {
        this.metafile = metafile;
        this.generation = generation;
        this.sealedLengths = Map.copyOf(sealedLengths);
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
        MetafileRow recovered = row.toBuilder()
                .setRecovering(false)
                .setLength(Math.max(row.getLength(), length(row.getLayout())))
                .setModificationTime(inputs.wallMillis())
                .setVersion(row.getVersion() + 1)
                .build();
        return Decision.of(true, new MetafileSet(metafile, recovered), new RecoveryDone(metafile));
    }

    private boolean isSealed(LayoutRow layout) {
        for (long datafile : layout.getDatafilesList()) {
            if (datafile != 0 && !sealedLengths.containsKey(new Handle(datafile))) {
                return false;
            }
        }
        return true;
    }

    /** A column is as long as the shortest of its copies: all of them can be read that far. */
    private long length(LayoutRow layout) {
        int width = layout.getWidth();
        long[] columns = new long[width];
        Arrays.fill(columns, Long.MAX_VALUE);
        for (int i = 0; i < layout.getDatafilesCount(); i++) {
            long datafile = layout.getDatafiles(i);
            long length = datafile == 0 ? 0 : sealedLengths.getOrDefault(new Handle(datafile), 0L);
            columns[i % width] = Math.min(columns[i % width], length);
        }
        return new Striping(layout.getStripSize(), width).fileLength(columns);
    }
}
