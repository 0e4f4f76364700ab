package io.steadfs.webui.timeline;

import io.steadfs.error.FsException;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import java.io.IOException;

/** Timelines made from the last messages that servers keep. Thread-safe. */
public interface Timelines {
    /** The last operations, the newest first. */
    RecentOperations recent() throws FsException;

    /** The timeline of an operation; without messages if no server keeps any. */
    Timeline of(long traceId) throws FsException;

    /**
     * Makes a file, and removes it.
     *
     * @param protocol for the create
     * @throws IOException if the file cannot be made
     */
    Timeline probe(ProbedProtocol protocol, int columns) throws IOException;
}
