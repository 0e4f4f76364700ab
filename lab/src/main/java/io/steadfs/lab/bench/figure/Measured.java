package io.steadfs.lab.bench.figure;

import java.util.List;

/**
 * The measurement of one series at one point of a figure.
 *
 * @param mean mean of the samples, in the unit of the figure
 * @param deviation standard deviation of the samples, in the unit of the figure
 * @param arrived number of the messages of the work that arrived at each server that gets such, in their order
 */
record Measured(String series, int x, double mean, double deviation, long samples, List<Long> arrived) {
    Measured {
        arrived = List.copyOf(arrived);
    }

    /** The same with mean and deviation times the factor. */
    Measured times(double factor) {
        return new Measured(series, x, mean * factor, deviation * factor, samples, arrived);
    }
}
