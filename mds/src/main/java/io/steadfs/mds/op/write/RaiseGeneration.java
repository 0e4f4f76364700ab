package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.layout.WriteGeneration;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * Raises the write generation of a file above the one that an IO server has for a datafile of the file. With the new
 * generation, the recovery of the file can go on. The IO server has a higher generation if a seal named an invented
 * one, or if this shard's store is an older copy. Nobody writes the file, so the new generation shuts out nobody.
 * Answers whether the generation was raised.
 */
public final class RaiseGeneration extends InternalCommand<Boolean> {
    private final Handle metafile;
    private final long generation;
    private final long above;

    /**
     * @param generation the write generation under which the recovery was refused
     * @param above the write generation that the IO server has; at most {@link WriteGeneration#MOST_TOLD}
     */
    public RaiseGeneration(Handle metafile, long generation, long above) {
        if (above < 0 || above > WriteGeneration.MOST_TOLD) {
            throw new IllegalArgumentException(
                    "write generation " + Long.toUnsignedString(above) + " is above " + WriteGeneration.MOST_TOLD);
        }
        this.metafile = metafile;
        this.generation = generation;
        this.above = above;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Optional<MetafileRow> found = Metafiles.find(view, metafile)
                .filter(row -> row.getRecovering() && row.getWriteGeneration() == generation && generation <= above);
        return found.map(row -> Decision.of(
                        true,
                        new MetafileSet(
                                metafile,
                                row.toBuilder()
                                        .setWriteGeneration(above + 1)
                                        .setVersion(row.getVersion() + 1)
                                        .build())))
                .orElseGet(() -> Decision.of(false));
    }
}
