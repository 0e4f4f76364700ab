package io.steadfs.lab.bench.figure;

import java.util.List;

/**
 * The measurement of one series at one point of a figure.
 *
 * @param mean mean of the samples, in the unit of the figure
 * @param deviation standard deviation of the samples, in the unit of the figure
 * @param arrived number of the messages of the work that arrived at each shard, in the order of the shards
 */
record Measured(String series, int x, double mean, double deviation, long samples, List<Long> arrived) {
    Measured {
        arrived = List.copyOf(arrived);
    }
}
