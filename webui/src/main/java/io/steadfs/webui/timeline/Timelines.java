package io.steadfs.webui.timeline;

import io.steadfs.error.FsException;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import java.io.IOException;

/** Makes timelines from the last messages that the servers keep. Thread-safe. */
public interface Timelines {
    /** The last operations, newest first. */
    RecentOperations recent() throws FsException;

    /** The timeline of an operation. If no server keeps messages of the operation, the timeline has no messages. */
    Timeline of(long traceId) throws FsException;

    /**
     * Creates a file, removes the file, and returns the timeline of the create.
     *
     * @param protocol protocol for the create
     * @throws IOException if the file cannot be created
     */
    Timeline probe(ProbedProtocol protocol, int columns) throws IOException;
}
