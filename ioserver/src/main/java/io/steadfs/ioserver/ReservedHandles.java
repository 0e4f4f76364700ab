package io.steadfs.ioserver;

import io.steadfs.ioserver.lane.DatafileHandles;
import java.io.IOException;
import java.util.Optional;

/**
 * The handles for datafiles of a process. They are reserved when they are first asked for, because only then is it known that the store
 * will be served.
 */
final class ReservedHandles {
    private final int serverId;
    private final Neighbours neighbours;
    private Optional<DatafileHandles> handles = Optional.empty();

    ReservedHandles(int serverId, Neighbours neighbours) {
        this.serverId = serverId;
        this.neighbours = neighbours;
    }

    /** Returns the same object at each call. */
    synchronized DatafileHandles get() throws IOException {
        if (handles.isEmpty()) {
            handles = Optional.of(new DatafileHandles(serverId, neighbours.numbers()));
        }
        return handles.get();
    }
}
