package io.steadfs.lab.bench.figure;

import io.steadfs.cli.counting.Counters;
import io.steadfs.lab.bench.figure.ground.Moments;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** The clients of one series at one point, and what is measured there. One thread uses it. */
final class Lane {
    private final Series series;
    private final List<FileMaker> clients;
    private final Moments samples = new Moments();
    /** Requests of the series' kind that arrived at each server that gets such. */
    private final long[] arrived;

    Lane(Series series, List<FileMaker> clients, int servers) {
        this.series = series;
        this.clients = List.copyOf(clients);
        this.arrived = new long[servers];
    }

    List<FileMaker> clients() {
        return clients;
    }

    Work work() {
        return series.work();
    }

    /** Adds the samples of a round, and what the servers counted meanwhile. Each shard has a server of its own. */
    void add(List<Double> ofRound, Counters grown) {
        ofRound.forEach(samples::add);
        for (int i = 0; i < arrived.length; i++) {
            String server = (work().isOfIoServers() ? "io-" : "mds-") + (i + 1);
            SortedMap<String, Long> ofServer = grown.byServer().getOrDefault(server, Collections.emptySortedMap());
            arrived[i] += ofServer.getOrDefault("messages.in." + work().kind, 0L);
        }
    }

    Measured measured(int x) {
        return new Measured(
                series.name(),
                x,
                samples.mean(),
                samples.deviation(),
                samples.count(),
                IntStream.range(0, arrived.length).mapToObj(i -> arrived[i]).toList());
    }
}
