package io.steadfs.mds.metafile;

import io.steadfs.handle.Handle;
import java.util.Map;
import java.util.Set;

/**
 * What IO servers answered about a metafile's datafiles while they sealed and cut the datafiles. Every datafile that
 * the metafile lists is in {@code lengths} or in {@code lost}. A listed datafile was once durable at its IO server,
 * with or without bytes. So a listed datafile that no longer exists is damaged. Nobody knows which bytes the damaged
 * datafile had.
 *
 * @param lengths lengths in bytes of the datafiles that exist
 * @param lost datafiles that are missing or that their IO server cannot read
 * @param uncut datafiles that exist, hold more than the recovered file needs, and cannot be cut
 * @param unsettled whether an IO server may have lost bytes, so that an existing datafile may be shorter than its
 *     writer was told
 */
public record SealedDatafiles(Map<Handle, Long> lengths, Set<Handle> lost, Set<Handle> uncut, boolean unsettled) {
    public SealedDatafiles {
        lengths = Map.copyOf(lengths);
        lost = Set.copyOf(lost);
        uncut = Set.copyOf(uncut);
    }

    /** Whether all datafiles exist and none holds more than the recovered file needs. */
    public boolean isWhole() {
        return lost.isEmpty() && uncut.isEmpty();
    }

    /** Whether the IO server has answered about the datafile. */
    public boolean isKnown(Handle datafile) {
        return lengths.containsKey(datafile) || lost.contains(datafile);
    }
}
