package io.steadfs.lab.bench.figure;

/**
 * One measured point of a series.
 *
 * @param mean mean of the samples, in the unit of the figure
 * @param deviation standard deviation of the samples, in the unit of the figure
 */
record Measured(String series, int x, double mean, double deviation, long samples) {}
