package io.steadfs.mds.metafile;

import io.steadfs.handle.Handle;
import java.util.Map;
import java.util.Set;

/**
 * What the IO servers answered about a metafile's datafiles when they were sealed and cut. Every datafile that the metafile
 * lists is in {@code lengths} or in {@code lost}. A listed datafile was once durable at its IO server, with or without bytes.
 * So a datafile that no longer exists is damaged, and it is unknown what its column held.
 *
 * @param lengths lengths in bytes of the datafiles that exist
 * @param lost datafiles that are missing, or that their IO server cannot read
 * @param uncut datafiles with a length that hold more than the recovered file needs, and that cannot be cut
 * @param unsettled whether an IO server among them lost something that no check has settled: then an existing datafile may be
 *     shorter than its writer was told
 */
public record SealedDatafiles(Map<Handle, Long> lengths, Set<Handle> lost, Set<Handle> uncut, boolean unsettled) {
    public SealedDatafiles {
        lengths = Map.copyOf(lengths);
        lost = Set.copyOf(lost);
        uncut = Set.copyOf(uncut);
    }

    /** Whether all datafiles exist and hold no more than was wanted. */
    public boolean isWhole() {
        return lost.isEmpty() && uncut.isEmpty();
    }

    /** Whether the IO server of the datafile has said what it knows of it. */
    public boolean isKnown(Handle datafile) {
        return lengths.containsKey(datafile) || lost.contains(datafile);
    }
}
