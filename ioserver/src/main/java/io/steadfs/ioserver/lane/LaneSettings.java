package io.steadfs.ioserver.lane;

import io.steadfs.ioserver.datafile.HandlesOnly;
import io.steadfs.ioserver.datafile.StoredBytes;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;

/**
 * Settings that all lanes of a server share. Each bound holds for one lane.
 *
 * @param smallMostBytes a datafile above this length moves to a file; at most the length of a chunk
 * @param queueMostTasks highest number of tasks that wait at one lane
 * @param queueMostBytes highest number of bytes of data that wait at one lane
 * @param batchMostTasks highest number of tasks in one batch
 * @param openMost highest number of datafiles that one lane keeps in memory
 * @param openMostBytes highest number of bytes of memory that the datafiles of one lane take
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
        int batchMostTasks,
        int openMost,
        long openMostBytes) {}
