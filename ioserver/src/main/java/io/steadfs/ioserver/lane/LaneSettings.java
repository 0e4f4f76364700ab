package io.steadfs.ioserver.lane;

import io.steadfs.ioserver.datafile.HandlesOnly;
import io.steadfs.ioserver.datafile.StoredBytes;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;

/**
 * Settings that all lanes of a server share, and their bounds.
 *
 * @param smallMostBytes a datafile above it moves to a file; at most a chunk
 * @param queueMostTasks waiting at one lane
 * @param queueMostBytes of data waiting at one lane
 * @param openMost datafiles that one lane keeps in memory
 * @param openMostBytes memory of those datafiles
 */
public record LaneSettings(
        Store store,
        DataFiles disk,
        OpenFiles files,
        VisibleDatafiles visible,
        HandlesOnly handlesOnly,
        StoredBytes stored,
        Clock clock,
        Counters counters,
        int smallMostBytes,
        int queueMostTasks,
        long queueMostBytes,
        int openMost,
        long openMostBytes) {}
