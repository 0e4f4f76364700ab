package io.steadfs.mds.metafile;

import io.steadfs.handle.Handle;
import java.util.Map;
import java.util.Set;

/**
 * What the IO servers said of a metafile's datafiles when they were sealed, and cut. Every datafile that the metafile
 * lists is in one of the first two. A listed datafile was once durable at its IO server, with or without bytes, so one that is not there
 * any more is damage, and says nothing of what its column held.
 *
 * @param lengths bytes of those that are there
 * @param lost those that are missing, or that their IO server cannot read
 * @param uncut those with lengths that hold more than the recovered file needs, and cannot be cut
 * @param unsettled whether an IO server among them lost something that no check has settled: a datafile that is there may be shorter than what
 *     its writer was told
 */
public record SealedDatafiles(Map<Handle, Long> lengths, Set<Handle> lost, Set<Handle> uncut, boolean unsettled) {
    public SealedDatafiles {
        lengths = Map.copyOf(lengths);
        lost = Set.copyOf(lost);
        uncut = Set.copyOf(uncut);
    }

    /** Whether all are there and hold no more than was wanted. */
    public boolean isWhole() {
        return lost.isEmpty() && uncut.isEmpty();
    }

    /** Whether the server of the datafile has said what it knows of it. */
    public boolean isKnown(Handle datafile) {
        return lengths.containsKey(datafile) || lost.contains(datafile);
    }
}
