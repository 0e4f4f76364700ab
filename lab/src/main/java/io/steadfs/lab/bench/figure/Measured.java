package io.steadfs.lab.bench.figure;

/**
 * The measurement of one series at one point of a figure.
 *
 * @param mean mean of the samples, in the unit of the figure
 * @param deviation standard deviation of the samples, in the unit of the figure
 */
record Measured(String series, int x, double mean, double deviation, long samples) {}
