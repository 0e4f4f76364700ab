package io.steadfs.ioserver;

import io.steadfs.ioserver.lane.DatafileHandles;
import java.io.IOException;
import java.util.Optional;

/**
 * The handles for new datafiles of a process. The handles are reserved at the first call of {@link #get}, because only
 * then is it certain that the server will serve its store.
 */
final class ReservedHandles {
    private final int serverId;
    private final Neighbours neighbours;
    private Optional<DatafileHandles> handles = Optional.empty();

    ReservedHandles(int serverId, Neighbours neighbours) {
        this.serverId = serverId;
        this.neighbours = neighbours;
    }

    /** Returns the handles. Each call returns the same object. */
    synchronized DatafileHandles get() throws IOException {
        if (handles.isEmpty()) {
            handles = Optional.of(new DatafileHandles(serverId, neighbours.numbers()));
        }
        return handles.get();
    }
}
