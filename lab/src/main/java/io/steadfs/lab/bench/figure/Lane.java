package io.steadfs.lab.bench.figure;

import java.util.List;

/**
 * The clients of one series at one point, and the samples measured there.
 *
 * @param samples samples in the unit of the figure
 */
record Lane(Series series, List<FileMaker> clients, Moments samples) {
    Lane {
        clients = List.copyOf(clients);
    }

    Measured measured(int x) {
        return new Measured(series.name(), x, samples.mean(), samples.deviation(), samples.count());
    }
}
