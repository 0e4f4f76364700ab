package io.steadfs.webui.timeline;

import io.steadfs.error.FsException;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import java.io.IOException;

/** What servers keep of the last messages. Thread-safe. */
public interface Timelines {
    /** The last operations, the newest first. */
    RecentOperations recent() throws FsException;

    /** Of an operation; without messages where no server keeps any. */
    Timeline of(long traceId) throws FsException;

    /**
     * Makes a file, and removes it.
     *
     * @param protocol by which
     * @throws IOException if it cannot be made
     */
    Timeline probe(ProbedProtocol protocol, int columns) throws IOException;
}
