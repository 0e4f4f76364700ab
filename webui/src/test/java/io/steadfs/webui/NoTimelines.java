package io.steadfs.webui;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import io.steadfs.webui.timeline.ProbedProtocol;
import io.steadfs.webui.timeline.Timelines;
import java.util.List;

/** Of servers that keep no messages. */
final class NoTimelines implements Timelines {
    @Override
    public RecentOperations recent() {
        return new RecentOperations(List.of(), List.of());
    }

    @Override
    public Timeline of(long traceId) {
        return new Timeline(traceId, List.of(), List.of());
    }

    @Override
    public Timeline probe(ProbedProtocol protocol, int columns) throws FsException {
        throw new FsException(FsError.UNREACHABLE, "nobody is here");
    }
}
