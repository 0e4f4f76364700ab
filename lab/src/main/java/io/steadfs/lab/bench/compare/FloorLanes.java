package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.Appends;
import io.steadfs.lab.bench.compare.work.RoundTrips;
import io.steadfs.lab.bench.compare.work.Work;
import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The rounds of bare messages and of bare fsyncs of one row, by one thread each. They follow each round of the row, so
 * that they meet the same state of the machine.
 */
record FloorLanes(Lane trips, Lane appends) {
    /** Rounds of a row are so many times as long as those of bare messages, and as those of bare fsyncs. */
    private static final int SHORTER = 4;

    private static final int LEAST_MILLIS = 10;

    /** @param file path for a file on the disk of the servers; nothing is there between rounds */
    static FloorLanes of(Path file, Together together) {
        return new FloorLanes(
                lane("bare messages", new RoundTrips(), together), lane("bare fsyncs", new Appends(file), together));
    }

    private static Lane lane(String name, Work work, Together together) {
        return new Lane(name, Optional.empty(), List.of(work), 1, together);
    }

    /** Decides how many messages and fsyncs a round has. */
    void rehearse(int roundMillis) throws IOException, InterruptedException {
        trips.rehearse(Math.max(LEAST_MILLIS, roundMillis / SHORTER));
        appends.rehearse(Math.max(LEAST_MILLIS, roundMillis / SHORTER));
    }

    void round() throws IOException, InterruptedException {
        trips.round();
        appends.round();
    }

    /** What the messages and fsyncs of the first system allow. */
    Optional<Floor> of(Measured first) {
        return Floor.of(first, trips.measured(), appends.measured());
    }
}
